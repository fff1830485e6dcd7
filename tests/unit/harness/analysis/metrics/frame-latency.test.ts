import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/frame-latency/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, presented, startMs, stats, writeRecord } from '../../support/record.ts';

test('median and tail of the frames, mean of the jitter', async () => {
  // latencies of 10, 20, ... 210 ms
  const latencies = Array.from({ length: 21 }, (_, i) => 10 * (i + 1));
  const record = writeRecord(join(temporaryFolder(), 'a'), {
    'frames.sent': latencies.map((latency, i) => ({ rtpTimestamp: i, captureMs: startMs + 400 * (i + 1) - latency })),
    'frames.presented': latencies.map((_, i) => presented(startMs + 400 * (i + 1), i + 1, i)),
    stats: [
      stats(startMs - 1, { jitter: 1 }),
      stats(startMs, { jitter: 0.002 }),
      stats(endMs, { jitter: 0.004 }),
      stats(endMs + 1, { jitter: 1 }),
    ],
  });
  assert.deepEqual(await plugin.compute(record), {
    'frame-latency-median': 110,
    'frame-latency-p95': 200,
    'frame-latency-share': 1,
    'jitter-mean': (2 + 4) / 2,
  });
});

test('nothing to join, no latency', async () => {
  const record = writeRecord(join(temporaryFolder(), 'b'), { 'frames.presented': [presented(startMs + 1, 1, 5)] });
  assert.deepEqual(await plugin.compute(record), {
    'frame-latency-median': null,
    'frame-latency-p95': null,
    'frame-latency-share': 0,
    'jitter-mean': null,
  });
});

test('frames without a callback have no latency, and their share is told', async () => {
  const record = writeRecord(join(temporaryFolder(), 'c'), {
    'frames.sent': [1, 3, 4].map(i => ({ rtpTimestamp: i, captureMs: startMs + 100 * i })),
    'frames.presented': [1, 3, 4].map(i => presented(startMs + 100 * i + 20, i, i)),
  });
  assert.equal((await plugin.compute(record))['frame-latency-share'], 3 / 4);
});
