import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/latency-parts/index.ts';
import { simulateViewing } from '../../../../sim/viewing.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { presented, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('the median of each part, and of how many frames', async () => {
  const values = await plugin.compute(simulateViewing({ faults: {} }).write(join(folder, 'calm')));
  const rounded = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, Number(value!.toFixed(3))]));
  assert.deepEqual(rounded, {
    'latency-encoder': 5,
    'latency-pacer': 2,
    'latency-queue': 0.38,
    'latency-wire': 1.1,
    'latency-repair': 0,
    'latency-jitter-buffer': 12,
    'latency-decode': 3,
    'latency-frames': 500,
  });
});

test('without frames that can be followed there is no value', async () => {
  const values = await plugin.compute(
    writeRecord(join(folder, 'none'), { 'frames.presented': [presented(12_000, 1, 5)] }),
  );
  assert.deepEqual([...new Set(Object.values(values))], [null]);
});
