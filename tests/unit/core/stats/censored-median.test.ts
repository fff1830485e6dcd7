import assert from 'node:assert/strict';
import { test } from 'node:test';
import { censoredMedian } from '../../../../core/stats/censored-median.ts';
import { median } from '../../../../core/stats/quantile.ts';

const over = (...values: number[]) => values.map(value => ({ value, isOver: true }));
const longer = (...values: number[]) => values.map(value => ({ value, isOver: false }));

test('of a sample that is known whole it is the median', () => {
  for (const values of [[5], [4, 1], [3, 1, 2], [4, 2, 2, 9], [1, 1, 1, 7, 8, 9, 9]])
    assert.equal(censoredMedian(over(...values)), median(values), String(values));
  assert.equal(censoredMedian([]), undefined);
});

test('what was given up late counts as longer than all the others', () => {
  assert.equal(censoredMedian([...over(1, 2, 3), ...longer(60, 60)]), 3);
  assert.equal(censoredMedian([...over(1, 2, 3, 4), ...longer(60, 60)]), 3.5);
});

test('what was given up early says little: the others share its place (by hand: 1, 1/2, 0 after the one at 2)', () => {
  assert.equal(censoredMedian([...longer(1), ...over(2, 3)]), 2.5);
  assert.equal(censoredMedian([...longer(1), ...over(2, 3, 4)]), 3);
});

test('where more than half were given up it is longer than the longest', () => {
  assert.equal(censoredMedian([...over(1), ...longer(60, 50)]), 60);
  assert.equal(censoredMedian(longer(7)), 7);
});
