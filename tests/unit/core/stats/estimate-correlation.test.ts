import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateCorrelation } from '../../../../core/stats/estimate-correlation.ts';

const runs = [
  [1e6, 900e3],
  [2e6, 1e6],
  [3e6, 1.1e6],
  [600e3, 300e3],
  [700e3, 200e3],
  [5e6, 700e3],
].map(([estimateBps, bitrateBps]) => ({ estimateBps: estimateBps!, bitrateBps: bitrateBps! }));

test('in all, and apart for runs from 700 kbit/s on and below', () => {
  const { all, good, bad } = estimateCorrelation(runs);
  assert.equal(bad!.toFixed(9), '-1.000000000', 'two runs below');
  // Python: statistics.correlation([1, 2, 3, 5], [0.9, 1, 1.1, 0.7]); for all runs with [0.6, 0.7] and [0.3, 0.2]
  // appended.
  assert.equal(good!.toFixed(4), '-0.5429');
  assert.equal(all!.toFixed(4), '0.4405');
});

test('the bound can be another; a part with fewer than two runs says nothing', () => {
  const { good, bad } = estimateCorrelation(runs, 1.05e6);
  assert.equal(good, undefined);
  assert.notEqual(bad, undefined);
});
