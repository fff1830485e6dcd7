import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMostlyApart, overlap } from '../../../../core/stats/overlap.ts';

test('the overlap is the sum of the smaller shares', () => {
  assert.equal(overlap(['a', 'a'], ['a', 'a', 'a']), 1);
  assert.equal(overlap(['a', 'b'], ['b', 'c', 'c', 'c']), 0.25);
  assert.equal(overlap(['a'], ['b']), 0);
  assert.equal(overlap([], ['b']), 0);
});

test('samples are mostly apart from a half on, and not where one is empty', () => {
  assert.equal(isMostlyApart(['a', 'b'], ['a', 'c']), true);
  assert.equal(isMostlyApart(['a', 'a', 'b'], ['a', 'a', 'c']), false);
  assert.equal(isMostlyApart([], ['a']), false);
});
