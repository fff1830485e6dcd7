import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import { caseVerdict, keptOf, verdictOf } from '../../../../../harness/studies/conformance/analysis/verdict.ts';

const atMost = (limit: number) => ({ atLeast: null, atMost: limit });
const of = (values: readonly number[], limit: number, confidence = 0.75) =>
  verdictOf(summariseValues(values), atMost(limit), confidence);

test('three trials that agree decide at 75 %, and six at 95 %', () => {
  assert.equal(of([1, 2, 3], 3), 'passed');
  assert.equal(of([4, 5, 6], 3), 'failed');
  assert.equal(of([1, 2, 4], 3), 'undecided');
  assert.equal(of([1, 2, 3], 3, 0.95), 'undecided');
  assert.equal(of([1, 2, 3, 1, 2, 3], 3, 0.95), 'passed');
});

test('one trial decides only where no confidence is asked', () => {
  assert.equal(of([1], 3), 'undecided');
  assert.equal(of([1], 3, 0), 'passed');
  assert.equal(of([4], 3, 0), 'failed');
  assert.equal(of([], 3, 0), 'undecided');
});

test('a range has two sides on which it fails, and an interval across it is undecided', () => {
  const range = { atLeast: 2, atMost: 4 };
  const judged = (values: readonly number[]) => verdictOf(summariseValues(values), range, 0.75);
  assert.deepEqual(
    [
      [2, 3, 4],
      [0, 1, 1],
      [5, 6, 7],
      [1, 3, 5],
    ].map(judged),
    ['passed', 'failed', 'failed', 'undecided'],
  );
  assert.equal(keptOf([1, 2, 3, 5], range), 2);
});

test('a case fails by one expectation, and passes by all', () => {
  assert.equal(caseVerdict(['passed', 'undecided', 'failed']), 'failed');
  assert.equal(caseVerdict(['passed', 'undecided']), 'undecided');
  assert.equal(caseVerdict(['passed', 'passed']), 'passed');
  assert.equal(caseVerdict([]), 'undecided');
});
