import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { rtcstatsDump } from '../../../../harness/exchange/rtcstats.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startMs, writeRecord } from '../support/record.ts';
import { agreed, answerSdp, candidate, offerSdp } from './support/agreed.ts';
import { readRtcstats } from './support/dump-reader.ts';

const folder = temporaryFolder();
const inbound = (timestamp: number, bytesReceived: number) => ({
  id: 'IT01',
  type: 'inbound-rtp',
  timestamp,
  bytesReceived,
});
const pair = { id: 'CP1', type: 'candidate-pair', timestamp: 1, nominated: true };

test('calls and events have the names and values of rtcstats, each at its time', async () => {
  const record = writeRecord(join(folder, 'a'), { connection: agreed }, { facts: { browser: '145.0' } });
  const { userAgent, connections } = readRtcstats(await rtcstatsDump(record));
  assert.equal(userAgent, 'Chrome/145.0');
  assert.deepEqual(Object.keys(connections), ['receiver']);
  assert.deepEqual(
    connections['receiver']!.filter(({ type }) => !/^(application|window)/.test(type)).map(one => [
      one.type,
      one.value,
    ]),
    [
      ['create', { iceServers: [] }],
      ['createOffer', null],
      ['createOfferOnSuccess', { type: 'offer', sdp: offerSdp }],
      ['setLocalDescription', { type: 'offer', sdp: offerSdp }],
      ['onicecandidate', candidate],
      ['setRemoteDescription', { type: 'answer', sdp: answerSdp }],
      ['ontrack', ['video', 'track-1', 'track-1', 'stream-1']],
      ['onconnectionstatechange', 'connected'],
    ],
  );
  const at = (type: string) => connections['receiver']!.find(one => one.type === type)!.timeMs;
  assert.deepEqual([at('createOffer'), at('setRemoteDescription'), at('windowStart')], [6001, 6010, startMs]);
});

test('statistics are read as they were, and a report that is gone is gone', async () => {
  const sample = (timeMs: number, bytes: number, candidatePair: object | null) => ({
    timeMs,
    inbound: inbound(timeMs, bytes),
    candidatePair,
    remoteOutbound: null,
  });
  const record = writeRecord(join(folder, 'b'), { stats: [sample(startMs, 5, pair), sample(startMs + 1000, 9, null)] });
  const stats = readRtcstats(await rtcstatsDump(record)).connections['receiver']!.filter(
    ({ type }) => type === 'getStats',
  );
  assert.deepEqual(
    stats.map(({ timeMs, value }) => [timeMs, value]),
    [
      [
        startMs,
        {
          IT01: { type: 'inbound-rtp', timestamp: startMs, bytesReceived: 5 },
          CP1: { type: 'candidate-pair', timestamp: 1, nominated: true },
        },
      ],
      [startMs + 1000, { IT01: { type: 'inbound-rtp', timestamp: startMs + 1000, bytesReceived: 9 } }],
    ],
  );
});

test('a sender that is a browser is a connection of its own; a trial that never began has none', async () => {
  const caller = { timeMs: startMs, outbound: { id: 'OT1', type: 'outbound-rtp', timestamp: 1 }, candidatePair: null };
  const both = writeRecord(join(folder, 'c'), {
    connection: [...agreed, { ...agreed[0]!, end: 'sender' }],
    caller: [{ ...caller, remoteInbound: null, cpuLimitedS: 0, mainThreadDelayMaxMs: 0, visible: true }],
  });
  const { connections } = readRtcstats(await rtcstatsDump(both));
  assert.deepEqual(
    connections['sender']!.map(({ type }) => type),
    ['create', 'createOffer', 'getStats'],
  );
  const none = writeRecord(join(folder, 'd'), {}, { phases: null });
  assert.deepEqual(readRtcstats(await rtcstatsDump(none)).connections, {});
});
