import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tukeyFences } from '../../../../core/stats/outliers.ts';

test('fences lie one and a half interquartile ranges beyond the quartiles', () => {
  assert.deepEqual(tukeyFences([1, 2, 3, 4, 5]), { low: 2 - 3, high: 4 + 3 });
  assert.deepEqual(tukeyFences([5, 3, 1, 2, 4, 100, 6, 7, 8]), { low: 3 - 6, high: 7 + 6 });
});

test('where the middle half is the same, anything else is beyond', () => {
  assert.deepEqual(tukeyFences([0, 0, 0, 0, 3]), { low: 0, high: 0 });
});

test('fewer than five values say nothing', () => {
  assert.equal(tukeyFences([1, 2, 3, 100]), undefined);
  assert.equal(tukeyFences([]), undefined);
});
