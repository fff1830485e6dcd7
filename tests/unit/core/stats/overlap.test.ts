import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlap } from '../../../../core/stats/overlap.ts';

test('the overlap is the sum of the smaller shares', () => {
  assert.equal(overlap(['a', 'a'], ['a', 'a', 'a']), 1);
  assert.equal(overlap(['a', 'b'], ['b', 'c', 'c', 'c']), 0.25);
  assert.equal(overlap(['a'], ['b']), 0);
  assert.equal(overlap([], ['b']), 0);
});
