import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { webrtcInternalsDump } from '../../../../harness/exchange/webrtc-internals.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, every, presentedAt, startMs, writeRecord } from '../support/record.ts';
import { agreed, answerSdp, candidate, offerSdp } from './support/agreed.ts';
import { readInternals, seriesOf } from './support/dump-reader.ts';

const folder = temporaryFolder();

const inbound = (timestamp: number, change: object) => ({
  id: 'IT01V1',
  type: 'inbound-rtp',
  timestamp,
  kind: 'video',
  ...change,
});

test('each member of each report is a series with its times', async () => {
  const record = writeRecord(join(folder, 'a'), {
    stats: [
      {
        timeMs: startMs,
        inbound: inbound(10_001, { bytesReceived: 5 }),
        candidatePair: { id: 'CP-1', type: 'candidate-pair', timestamp: 10_001, nominated: true },
        remoteOutbound: null,
      },
      {
        timeMs: startMs + 1000,
        inbound: inbound(11_001, { bytesReceived: 9, decoderImplementation: 'FFmpeg' }),
        candidatePair: null,
        remoteOutbound: null,
      },
    ],
  });
  const { PeerConnections, getUserMedia, UserAgent } = await webrtcInternalsDump(record);
  assert.deepEqual([Object.keys(PeerConnections), getUserMedia, typeof UserAgent], [['1-1'], [], 'string']);
  const { stats, url } = PeerConnections['1-1']!;
  const series = seriesOf(PeerConnections['1-1']!);
  assert.deepEqual(series['IT01V1'], {
    type: 'inbound-rtp',
    timestamp: [
      [10_001, 10_001],
      [11_001, 11_001],
    ],
    kind: [
      [10_001, 'video'],
      [11_001, 'video'],
    ],
    bytesReceived: [
      [10_001, 5],
      [11_001, 9],
    ],
    decoderImplementation: [[11_001, 'FFmpeg']],
  });
  assert.deepEqual(stats['IT01V1-bytesReceived'], {
    statsType: 'inbound-rtp',
    startTime: '1970-01-01T00:00:10.000Z',
    endTime: '1970-01-01T00:00:11.000Z',
    values: '[5,9]',
  });
  assert.equal(stats['IT01V1-decoderImplementation']!.startTime, '1970-01-01T00:00:11.000Z');
  // an id may contain a dash
  assert.deepEqual(series['CP-1'], {
    type: 'candidate-pair',
    timestamp: [[10_001, 10_001]],
    nominated: [[10_001, true]],
  });
  assert.match(url, /Wired, repeat 1: receiver/);
});

test('phases and stalls stand where the log of the connection would', async () => {
  const record = writeRecord(join(folder, 'b'), {
    'frames.presented': presentedAt([...every(20, startMs, 14_000), ...every(20, 14_450, endMs)]),
  });
  const { updateLog } = (await webrtcInternalsDump(record)).PeerConnections['1-1']!;
  assert.deepEqual(
    updateLog.map(({ type, value }) => [type, value === '' ? '' : JSON.parse(value)]),
    [
      ['applicationStart', 'flood'],
      ['applicationReady', 'flood'],
      ['applicationStart', 'service'],
      ['applicationReady', 'service'],
      ['windowStart', 'from here on it is measured'],
      ['stall', 'no new frame for 450 ms'],
      ['windowEnd', ''],
      ['applicationStop', 'service'],
      ['applicationStop', 'flood'],
    ],
  );
  for (const { time, timestamp } of updateLog) assert.equal(Date.parse(time), timestamp);
});

test('a sender that is a browser is a connection of its own', async () => {
  const record = writeRecord(join(folder, 'c'), {
    caller: [
      {
        timeMs: startMs,
        outbound: { id: 'OT01V1', type: 'outbound-rtp', timestamp: 1, targetBitrate: 7 },
        candidatePair: null,
        remoteInbound: null,
        cpuLimitedS: 0,
        mainThreadDelayMaxMs: 0,
        visible: true,
      },
    ],
  });
  const { PeerConnections } = await webrtcInternalsDump(record);
  assert.deepEqual(seriesOf(PeerConnections['2-1']!)['OT01V1'], {
    type: 'outbound-rtp',
    timestamp: [[1, 1]],
    targetBitrate: [[1, 7]],
  });
});

test('a trial that never began has a dump without values', async () => {
  const { PeerConnections } = await webrtcInternalsDump(writeRecord(join(folder, 'd'), {}, { phases: null }));
  assert.deepEqual([PeerConnections['1-1']!.stats, PeerConnections['1-1']!.updateLog], [{}, []]);
});

test('the viewer that is maintained reads it: browser, configuration, calls with their descriptions, candidates', async () => {
  const record = writeRecord(join(folder, 'e'), { connection: agreed }, { facts: { browser: '145.0.7632.0' } });
  const dump = readInternals(JSON.stringify(await webrtcInternalsDump(record)));
  assert.equal(dump.browser, 'Chrome/145.0.7632.0');
  const { configuration, calls } = dump.connections['1-1']!;
  assert.deepEqual(configuration, { iceServers: [] });
  const own = calls.filter(({ type }) => !/^(application|window)/.test(type));
  assert.deepEqual(
    own.map(({ type, value }) => [type, value]),
    [
      ['createOffer', ''],
      ['createOfferOnSuccess', { type: 'offer', sdp: offerSdp }],
      ['setLocalDescription', { type: 'offer', sdp: offerSdp }],
      ['icecandidate', candidate],
      ['setRemoteDescription', { type: 'answer', sdp: answerSdp }],
      ['ontrack', ['video', 'track-1', 'track-1', 'stream-1']],
      ['connectionstatechange', 'connected'],
    ],
  );
  assert.deepEqual(
    own.map(({ timeMs }) => timeMs),
    [6001, 6002, 6002, 6003, 6010, 6010, 6050],
  );
});
