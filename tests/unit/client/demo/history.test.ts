import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../../../../client/demo/history.ts';
import type { DemoValues } from '../../../../client/demo/wire.ts';

const values = (timeMs: number, longestGapMs = 17) =>
  ({ timeMs, longestGapMs, stallMs: 200, rttMs: timeMs / 1000 }) as DemoValues;

test('a minute is kept', () => {
  const history = new History();
  for (let timeMs = 0; timeMs <= 90_000; timeMs += 250) history.add(values(timeMs));
  assert.deepEqual([history.timesS()[0], history.timesS().at(-1), history.newest?.timeMs], [30, 90, 90_000]);
  assert.deepEqual(history.column(({ rttMs }) => rttMs).slice(0, 2), [30, 30.25]);
});

test('a stall that is told as it grows is one; another is another', () => {
  const history = new History();
  for (const [timeMs, gapMs] of [
    [1000, 100],
    [1250, 350],
    [1500, 600],
    [1750, 700],
    [2000, 17],
    [3000, 300],
  ] as const)
    history.add(values(timeMs, gapMs));
  assert.deepEqual(history.stalls, [
    { fromS: 0.9, toS: 1.75 },
    { fromS: 2.7, toS: 3 },
  ]);
  history.add(values(62_000));
  assert.deepEqual(history.stalls, [{ fromS: 2.7, toS: 3 }]);
});
