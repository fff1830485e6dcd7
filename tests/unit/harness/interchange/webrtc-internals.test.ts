import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { webrtcInternalsDump } from '../../../../harness/interchange/webrtc-internals.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, every, presentedAt, startMs, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();

const inbound = (timestamp: number, change: object) => ({
  id: 'IT01V1',
  type: 'inbound-rtp',
  timestamp,
  kind: 'video',
  ...change,
});

/** As the viewers of such dumps read a report: members by the text behind the last dash, times from "ID-timestamp". */
function readReport(
  stats: Record<string, { statsType: string; startTime: string; endTime: string; values: string }>,
  id: string,
) {
  return Object.fromEntries(
    Object.entries(stats)
      .filter(([name]) => name.startsWith(`${id}-`))
      .map(([name, { values }]) => [name.split('-').at(-1)!, JSON.parse(values) as unknown[]]),
  );
}

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
  assert.deepEqual(readReport(stats, 'IT01V1'), {
    timestamp: [10_001, 11_001],
    kind: ['video', 'video'],
    bytesReceived: [5, 9],
    decoderImplementation: ['FFmpeg'],
  });
  assert.deepEqual(stats['IT01V1-bytesReceived'], {
    statsType: 'inbound-rtp',
    startTime: '1970-01-01T00:00:10.000Z',
    endTime: '1970-01-01T00:00:11.000Z',
    values: '[5,9]',
  });
  assert.equal(stats['IT01V1-decoderImplementation']!.startTime, '1970-01-01T00:00:11.000Z');
  // an id may have a dash of its own
  assert.deepEqual(readReport(stats, 'CP-1'), { timestamp: [10_001], nominated: [true] });
  assert.match(url, /Wired, repeat 1: receiver/);
});

test('phases and stalls stand where the log of the connection would', async () => {
  const record = writeRecord(join(folder, 'b'), {
    'frames.presented': presentedAt([...every(20, startMs, 14_000), ...every(20, 14_450, endMs)]),
  });
  const { updateLog } = (await webrtcInternalsDump(record)).PeerConnections['1-1']!;
  assert.deepEqual(
    updateLog.map(({ type, value }) => [type, value]),
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
  for (const { time, value } of updateLog) assert.ok(!Number.isNaN(Date.parse(time)) && typeof value === 'string');
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
  assert.deepEqual(readReport(PeerConnections['2-1']!.stats, 'OT01V1'), { timestamp: [1], targetBitrate: [7] });
});

test('a trial that never began has a dump without values', async () => {
  const { PeerConnections } = await webrtcInternalsDump(writeRecord(join(folder, 'd'), {}, { phases: null }));
  assert.deepEqual([PeerConnections['1-1']!.stats, PeerConnections['1-1']!.updateLog], [{}, []]);
});
