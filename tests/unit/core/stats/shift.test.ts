import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { fewestTrials } from '../../../../core/stats/choices.ts';
import { leastPermutationP, mannWhitneyCdf, permutationP, shift, smallestShown } from '../../../../core/stats/shift.ts';

const near = (value: number | null, expected: number, tolerance = 1e-9) =>
  assert.ok(value !== null && Math.abs(value - expected) <= tolerance, `${value}, not ${expected}`);

test('the Mann-Whitney distribution is that of the tables', () => {
  // n = m = 3: of the 20 orders, 1, 1, 2 and 3 have U = 0, 1, 2 and 3
  mannWhitneyCdf(3, 3)
    .slice(0, 4)
    .forEach((p, u) => near(p, [1, 2, 4, 7][u]! / 20));
  near(mannWhitneyCdf(5, 5)[2]!, 4 / 252); // critical value 2 of the table for 5 %, two-sided
  near(mannWhitneyCdf(2, 7).at(-1)!, 1);
});

test('the difference that would have been shown is as far as both intervals reach', () => {
  // one of the 20 splits has the lowest three values in one sample, one has them in the other: the least p is 0.1, not
  // below 0.1
  assert.equal(smallestShown([1, 2, 3], [4, 5, 6], 0.1), undefined);
  near(smallestShown([1, 2, 3], [4, 5, 6], 0.11)!, 2 + 2); // interval [1, 5] around 3 at 90 %, for both terms
  assert.equal(smallestShown([], [4, 5, 6], 0.1), undefined);
  // 40 and 40 evenly spaced values: ranks by the normal approximation, wider for a higher confidence
  const many = Array.from({ length: 40 }, (_, i) => i);
  assert.ok(smallestShown(many, many, 0.01)! > smallestShown(many, many, 0.05)!);
});

test('the shift is the median of all differences, with the exact interval', () => {
  // differences between 4..6 and 1..3: 1, 2, 2, 3, 3, 3, 4, 4, 5
  assert.deepEqual(shift([1, 2, 3], [4, 5, 6]), {
    value: 3,
    low: 1,
    high: 5,
    confidence: 0.9,
    p: 0.1,
    leastP: 0.1,
    nA: 3,
    nB: 3,
  });
  const five = shift([1, 2, 3, 4, 5], [11, 12, 13, 14, 15]);
  near(five.confidence, 1 - (2 * 4) / 252); // from the 3rd to the 23rd of 25 differences
  assert.deepEqual([five.value, five.low, five.high], [10, 7, 13]);
  near(five.p, 2 / 252);
});

test('one value has no interval, none has no difference', () => {
  assert.deepEqual(shift([1], [3]), {
    value: 2,
    low: null,
    high: null,
    confidence: null,
    p: null,
    leastP: null,
    nA: 1,
    nB: 1,
  });
  assert.deepEqual(shift([], [3]), {
    value: null,
    low: null,
    high: null,
    confidence: null,
    p: null,
    leastP: null,
    nA: 0,
    nB: 1,
  });
});

test('equal samples do not differ', () => {
  const same = shift([5, 5, 5, 5], [5, 5, 5, 5]);
  assert.deepEqual([same.value, same.low, same.high, same.p], [0, 0, 0, 1]);
});

test('many ways are drawn, and give what counting would', () => {
  const a = Array.from({ length: 12 }, (_, i) => i);
  const b = a.map(value => value + 4.5);
  // the normal approximation of the rank sum gives about 0.02
  const p = permutationP(a, b);
  assert.ok(p > 0.001 && p < 0.05, String(p));
  assert.equal(permutationP(a, b), p); // the same seed each time
  near(permutationP(a, b), permutationP(b, a), 0.01);
});

test('the interval holds the true shift as often as it says', () => {
  const random = seededRandom(7);
  // exponential values, a skewed distribution
  const sample = (n: number, by: number) => Array.from({ length: n }, () => -Math.log(1 - random.next()) + by);
  let held = 0;
  const rounds = 2000;
  for (let round = 0; round < rounds; round++) {
    const { low, high } = shift(sample(5, 0), sample(6, 1), 0.95);
    if (low! <= 1 && high! >= 1) held++;
  }
  assert.ok(held / rounds >= 0.94, String(held / rounds)); // true value: at least 0.95; error: about 0.01
});

test('beyond sixty values the rank is approximated, and close to the exact one', () => {
  const a = Array.from({ length: 30 }, (_, i) => i);
  const exact = shift(
    a,
    a.map(value => value + 0.5),
  );
  const approximate = shift(
    [...a, 30],
    a.map(value => value + 0.5),
  );
  assert.ok(
    Math.abs(exact.low! - approximate.low!) <= 1.5 && Math.abs(exact.high! - approximate.high!) <= 1.5,
    JSON.stringify([exact, approximate]),
  );
});

test('the smallest p that values can give: constants have none that is small', () => {
  assert.equal(leastPermutationP([1, 1, 1], [1, 1, 1]), 1);
  assert.equal(leastPermutationP([1, 5, 3], [2, 6, 4]), 2 / 20);
  assert.ok(leastPermutationP([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 9]) > 0.05);
});

test('the fewest trials of each run that show one difference among tests', () => {
  assert.deepEqual(
    [1, 12, 200].map(tests => fewestTrials(0.05, tests)),
    [4, 6, 8],
  );
});
