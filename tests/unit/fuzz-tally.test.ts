import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTally, nextTimes } from '../fuzz/tally.ts';

test('a long run ends with the inputs of each target, their sum, its seconds and whether one failed', () => {
  const inputs = new Map([
    ['tests/fuzz/a.test.ts', 1_200_000],
    ['tests/fuzz/b.test.ts', 0],
  ]);
  assert.equal(
    describeTally(inputs, { ms: 180_400, hasFailed: false }),
    '   1200000 tests/fuzz/a.test.ts\n         0 tests/fuzz/b.test.ts\n1200000 inputs to 1 of 2 targets in 180 s, no failure; ' +
      'no input for tests/fuzz/b.test.ts: is its program built?\n',
  );
  assert.match(describeTally(inputs, { ms: 1, hasFailed: true }), /, one failure; no input for/);
});

test('rounds of quick targets grow and those of slow ones shrink, so that each has its share of the time', () => {
  assert.deepEqual([nextTimes(1, 500), nextTimes(4, 7999), nextTimes(256, 1)], [2, 8, 256]);
  assert.deepEqual([nextTimes(8, 8000), nextTimes(8, 30_000)], [8, 8]);
  assert.deepEqual([nextTimes(8, 30_001), nextTimes(1, 600_000)], [4, 1]);
});
