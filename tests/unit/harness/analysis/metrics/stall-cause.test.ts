import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin as stall } from '../../../../../harness/analysis/metrics/stall/index.ts';
import { plugin } from '../../../../../harness/analysis/metrics/stall-cause/index.ts';
import { simulateViewing } from '../../../../sim/viewing.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('seconds stalled by cause add up to the stalled time', async () => {
  const record = simulateViewing({
    faults: { outage: { fromMs: 12_000, toMs: 12_500 }, receiver: { fromMs: 15_000, toMs: 15_700 } },
  }).write(join(folder, 'two'));
  const values = await plugin.compute(record);
  const { 'stall-time': whole } = await stall.compute(record);
  const { 'stalled-by-outage': outage, 'stalled-by-receiver-host': receiver } = values;
  assert.ok(outage! > 0.45 && outage! < 0.55 && receiver! > 0.65 && receiver! < 0.75, JSON.stringify(values));
  assert.ok(Math.abs(Object.values(values).reduce<number>((sum, value) => sum + value!, 0) - whole!) < 1e-9);
});

test('without a stall every cause has nothing, without a frame none has a value', async () => {
  assert.deepEqual(
    [...new Set(Object.values(await plugin.compute(simulateViewing({ faults: {} }).write(join(folder, 'calm')))))],
    [0],
  );
  assert.deepEqual([...new Set(Object.values(await plugin.compute(writeRecord(join(folder, 'none'), {}))))], [null]);
});
