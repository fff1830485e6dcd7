import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { stopsInWindow } from '../../../../../harness/analysis/derive/link-stops.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('stops are cut to the window, keep their length, and are those of the own direction', async () => {
  const record = writeRecord(join(folder, 'cut'), {
    'link-stops': [
      { timeMs: startMs - 500, lengthMs: 20 },
      { timeMs: startMs - 10, lengthMs: 30 },
      { timeMs: startMs + 1000, lengthMs: 5, direction: 'up' },
      { timeMs: startMs + 2000.5, lengthMs: 12.5 },
      { timeMs: endMs - 5, lengthMs: 9 },
    ],
  });
  assert.deepEqual(await stopsInWindow(record), [
    { fromS: 0, toS: 0.02, lengthMs: 30 },
    { fromS: 2.0005, toS: 2.013, lengthMs: 12.5 },
    { fromS: 9.995, toS: 10, lengthMs: 9 },
  ]);
});

test('of very many the longest are left, in the order of time', async () => {
  const record = writeRecord(join(folder, 'many'), {
    'link-stops': Array.from({ length: 700 }, (_, i) => ({
      timeMs: startMs + 10 * i,
      lengthMs: i % 7 === 0 ? 2 : 3 + (i % 5),
    })),
  });
  const stops = await stopsInWindow(record);
  assert.equal(stops.length, 500);
  assert.ok(stops.every(({ lengthMs }) => lengthMs >= 3));
  assert.deepEqual(
    stops.map(({ fromS }) => fromS),
    stops.map(({ fromS }) => fromS).sort((a, b) => a - b),
  );
});
