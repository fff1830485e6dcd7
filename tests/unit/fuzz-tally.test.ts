import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTally } from '../fuzz/tally.ts';

test('a long run ends with the inputs of each target, their sum, its seconds and whether one failed', () => {
  const inputs = new Map([
    ['tests/fuzz/a.test.ts', 1_200_000],
    ['tests/fuzz/b.test.ts', 0],
  ]);
  assert.equal(
    describeTally(inputs, { ms: 180_400, hasFailed: false }),
    '   1200000 tests/fuzz/a.test.ts\n         0 tests/fuzz/b.test.ts\n1200000 inputs to 2 targets in 180 s, no failure\n',
  );
  assert.match(describeTally(inputs, { ms: 1, hasFailed: true }), /, one failure\n$/);
});
