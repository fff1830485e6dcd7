import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/freeze/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, presentedAt, startMs, stats, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const rounded = (values: Record<string, number | null>) =>
  Object.fromEntries(
    Object.entries(values).map(([id, value]) => [id, value === null ? null : Number(value.toFixed(9))]),
  );

test("the metric gives both its own count and Chromium's", async () => {
  const record = writeRecord(join(folder, 'a'), {
    'frames.presented': presentedAt([
      ...every(20, startMs - 1000, 12_000),
      ...every(20, 12_500, 15_000),
      15_172,
      ...every(20, 15_180, endMs - 400),
    ]),
    stats: [
      stats(startMs, { freezeCount: 1, totalFreezesDuration: 0.4, pauseCount: 2, totalPausesDuration: 11 }),
      stats(endMs, { freezeCount: 3, totalFreezesDuration: 1.15, pauseCount: 3, totalPausesDuration: 17 }),
    ],
  });
  assert.deepEqual(rounded(await plugin.compute(record)), {
    // freezes of 500 ms; of 172 ms, for which Chromium's rule requires 175 ms; and of 400 ms in progress at the end
    'freeze-count': 3,
    'freeze-time': 0.5 + 0.172 + 0.4,
    'freeze-rate': 18,
    'freeze-share': 0.1072,
    'freeze-unfinished': 0.4,
    'chromium-rule-freeze-count': 1,
    'pause-count': 0,
    'pause-time': 0,
    'chromium-freeze-count': 3 - 1,
    'chromium-freeze-time': 0.75,
    'chromium-pause-count': 1,
    'chromium-pause-time': 6,
  });
});

test('six seconds without a frame are a freeze, too, and a pause', async () => {
  const values = await plugin.compute(
    writeRecord(join(folder, 'pause'), {
      'frames.presented': presentedAt([...every(20, startMs - 1000, 12_000), ...every(20, 18_000, endMs)]),
    }),
  );
  assert.deepEqual(
    [values['freeze-count'], values['pause-count'], values['pause-time'], values['chromium-rule-freeze-count']],
    [1, 1, 6, 0],
  );
});

test('a record without frames or without counters has no values', async () => {
  const values = await plugin.compute(writeRecord(join(folder, 'none'), {}));
  assert.deepEqual(Object.keys(values).sort(), plugin.quantities.map(({ id }) => id).sort());
  assert.ok(Object.values(values).every(value => value === null));
});
