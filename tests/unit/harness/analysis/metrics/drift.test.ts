import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/drift/index.ts';
import { compute } from '../../../../../harness/analysis/summary/compute.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, startMs, stats, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const middleMs = (startMs + endMs) / 2;

test('each half has the mean of its probes and the bytes that arrived in it', async () => {
  const record = writeRecord(join(folder, 'a'), {
    ping: [startMs, middleMs - 1, middleMs, endMs - 1, endMs].map((timeMs, i) => ({
      timeMs,
      sequence: i,
      rttMs: [10, 20, 30, 60, 900][i]!,
    })),
    // 1 Mbit/s, then 3 Mbit/s
    stats: every(500, startMs, endMs).map(time =>
      stats(time, { bytesReceived: 125 * (time - startMs) + 250 * Math.max(0, time - middleMs) }),
    ),
  });
  const { 'goodput-drift': rate, 'rtt-drift': roundTrip } = await compute(plugin, record);
  assert.equal(roundTrip, (30 + 60) / 2 - (10 + 20) / 2);
  assert.ok(Math.abs(rate! - 2e6) < 1, String(rate));
  const together = await plugin.computeTogether!([record, record], record);
  assert.ok(Math.abs(together['goodput-drift']! - 4e6) < 1);
  assert.deepEqual(await plugin.computeTogether!([], record), { 'goodput-drift': null });
});

test('a half without a probe has no change', async () => {
  const record = writeRecord(join(folder, 'b'), { ping: [{ timeMs: startMs, sequence: 1, rttMs: 10 }] });
  assert.deepEqual(await compute(plugin, record), { 'goodput-drift': null, 'rtt-drift': null });
});
