import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nonMonotonic } from '../../../../../../harness/studies/pairs/analysis/sweep.ts';

const point = (mbps: number, share: number, half: number | null = 0.05) => ({
  rateBps: mbps * 1e6,
  share,
  interval: half === null ? null : { low: share - half, high: share + half },
});

test("the paper's figure 7: unfairer up to 50 Mbit/s, then suddenly fair", () => {
  const found = nonMonotonic([point(50, 0.4), point(8, 0.8), point(80, 1)]);
  assert.deepEqual(
    [found?.fall.map(p => p.rateBps / 1e6), found?.rise.map(p => p.rateBps / 1e6)],
    [
      [8, 50],
      [8, 80],
    ],
  );
});

test('one way is no finding', () =>
  assert.equal(nonMonotonic([point(8, 0.4), point(20, 0.6), point(50, 0.8)]), undefined));
test('what the intervals allow is no finding', () =>
  assert.equal(nonMonotonic([point(8, 0.8, 0.3), point(20, 0.6, 0.3), point(50, 0.9, 0.3)]), undefined));
test('a point without an interval proves nothing', () =>
  assert.equal(nonMonotonic([point(8, 0.8), point(20, 0.1, null), point(50, 0.9)]), undefined));
