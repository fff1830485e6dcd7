import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoModes } from '../../../../../../harness/studies/pairs/analysis/stability.ts';

test('two modes are found by the gap between them', () => {
  assert.deepEqual(twoModes([1, 4.1, 1.1, 4, 0.9, 1.2, 4.2], 0.5), { below: 1.2, above: 4 });
});

test('one far value is no mode', () => assert.equal(twoModes([1, 1.1, 0.9, 1.2, 1, 1.05, 9], 0.5), undefined));
test('values as close as wanted are one mode', () =>
  assert.equal(twoModes([1, 1.2, 1.4, 1.6, 1.8, 2], 0.5), undefined));
test('four trials tell nothing', () => assert.equal(twoModes([0, 0, 9, 9], 0.5), undefined));
test('the gap must exceed the whole width', () => {
  assert.equal(twoModes([0, 0, 0, 1, 1, 1], 0.5), undefined);
  assert.deepEqual(twoModes([0, 0, 0, 1.01, 1.01, 1.01], 0.5), { below: 0, above: 1.01 });
});
