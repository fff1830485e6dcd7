import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ascending, mean, median, quantile, quantileOfSorted } from '../../../../core/stats/quantile.ts';

test("quantiles are those of Hyndman and Fan's type 7", () => {
  // R: quantile(1:10)
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map(p => quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], p)),
    [1, 3.25, 5.5, 7.75, 10],
  );
  // Microsoft's example for PERCENTILE.INC
  assert.equal(quantile([1, 3, 2, 4], 0.3)!.toFixed(9), '1.900000000');
  // Wikipedia, "Quartile", data sets 1 and 2, with R's results
  assert.deepEqual(
    [0.25, 0.5, 0.75].map(p => quantile([6, 7, 15, 36, 39, 40, 41, 42, 43, 47, 49], p)),
    [25.5, 40, 42.5],
  );
  assert.deepEqual(
    [0.25, 0.5, 0.75].map(p => quantile([7, 15, 36, 39, 40, 41], p)),
    [20.25, 37.5, 39.75],
  );
});

test('the order of a sample does not matter, and it is left as it is', () => {
  const sample = [3, 1, 10, 2];
  assert.equal(median(sample), 2.5);
  assert.deepEqual(sample, [3, 1, 10, 2]);
  assert.deepEqual(ascending(sample), [1, 2, 3, 10]); // numerically, not alphabetically
  assert.equal(quantileOfSorted([1, 2, 3, 10], 0.5), 2.5);
});

test('one value is every quantile; of none there is none', () => {
  assert.deepEqual(
    [0, 0.3, 1].map(p => quantile([7], p)),
    [7, 7, 7],
  );
  assert.deepEqual([quantile([], 0.5), median([]), mean([])], [undefined, undefined, undefined]);
});

test('the mean', () => {
  assert.equal(mean([1, 2, 6]), 3);
});
