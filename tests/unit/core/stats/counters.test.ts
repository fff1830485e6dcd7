import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth, valueAt } from '../../../../core/stats/counters.ts';

const readings = [
  { timeMs: 1000, value: 0 },
  { timeMs: 2000, value: 100 },
  { timeMs: 4000, value: 500 },
];

test('between two readings a counter grows evenly', () => {
  assert.equal(valueAt(readings, 1500), 50);
  assert.equal(valueAt(readings, 2000), 100);
  assert.equal(valueAt(readings, 3000), 100 + 400 / 2);
});

test('just outside the readings the nearest one holds, further off nothing is known', () => {
  assert.deepEqual(
    [0, 999, 4001, 5000].map(time => valueAt(readings, time)),
    [0, 0, 500, 500],
  );
  assert.deepEqual(
    [-1, 5001].map(time => valueAt(readings, time)),
    [undefined, undefined],
  );
  assert.equal(valueAt(readings, 4100, 50), undefined);
  assert.equal(valueAt([], 1000), undefined);
});

test('two readings at one moment do not divide by nothing', () => {
  assert.equal(
    valueAt(
      [
        { timeMs: 1000, value: 1 },
        { timeMs: 1000, value: 3 },
        { timeMs: 2000, value: 5 },
      ],
      1000,
    ),
    1,
  );
});

test('growth over a window is the difference at its ends', () => {
  assert.equal(growth(readings, { startMs: 1500, endMs: 3000 }), 300 - 50);
  assert.equal(growth(readings, { startMs: 1000, endMs: 4000 }), 500);
  assert.equal(growth(readings, { startMs: 1500, endMs: 6000 }), null);
  assert.equal(growth(readings, { startMs: -500, endMs: 3000 }), null);
});
