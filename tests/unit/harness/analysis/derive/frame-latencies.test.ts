import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { frameLatencies } from '../../../../../harness/analysis/derive/frame-latencies.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, presented, startMs, writeRecord } from '../../support/record.ts';

test("frames are joined by RTP timestamp, on the harness's clock", async () => {
  const sent = (rtpTimestamp: number, captureMs: number) => ({
    frame: 0,
    rtpTimestamp,
    captureMs,
    encodedMs: captureMs + 5,
    firstPacketMs: captureMs + 6,
    lastPacketMs: captureMs + 7,
  });
  const record = writeRecord(
    join(temporaryFolder(), 'a'),
    {
      // the server's clock is 1000 ms behind the client's
      'frames.sent': [
        sent(1, startMs - 1060),
        sent(2, startMs - 1030),
        sent(3, startMs - 1000),
        sent(4, endMs - 1050),
        sent(5, endMs - 1040),
        { frame: 9, captureMs: startMs, skipped: 'late', count: 1 },
      ],
      'frames.presented': [
        presented(startMs, 1, 1),
        presented(startMs + 1, 2, 2),
        presented(startMs + 50, 3, 3),
        presented(startMs + 60, 4, null),
        presented(startMs + 70, 5, 77),
        presented(endMs, 6, 4),
        presented(endMs + 1, 7, 5),
      ],
    },
    { clocks: { server: { offsetMs: 1000, uncertaintyMs: 0 }, page: { offsetMs: 0, uncertaintyMs: 0 } } },
  );
  assert.deepEqual(await frameLatencies(record), [
    { timeMs: startMs + 1, latencyMs: 31 },
    { timeMs: startMs + 50, latencyMs: 50 },
    { timeMs: endMs, latencyMs: 50 },
  ]);
});
