import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import {
  fewestPairs,
  hodgesLehmann,
  leastP,
  rankBiserial,
  rankSumCdf,
  signedRankP,
  signedRanks,
  smallestShown,
} from '../../../../core/stats/signed-rank.ts';
import { normal } from '../../../sim/normal.ts';

const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('critical values as in the published tables, two-sided', () => {
  // Wilcoxon and Wilcox, 1964, and textbooks: the largest significant rank sum
  const tables = {
    0.05: {
      6: 0,
      7: 2,
      8: 3,
      9: 5,
      10: 8,
      11: 10,
      12: 13,
      13: 17,
      14: 21,
      15: 25,
      16: 29,
      17: 34,
      18: 40,
      19: 46,
      20: 52,
    },
    0.01: { 8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 17: 23, 18: 27, 19: 32, 20: 37 },
  };
  for (const [level, table] of Object.entries(tables)) {
    for (const [n, critical] of Object.entries(table)) {
      assert.ok(2 * rankSumCdf(upTo(Number(n)), critical) <= Number(level), `n = ${n}, ${level}`);
      assert.ok(2 * rankSumCdf(upTo(Number(n)), critical + 1) > Number(level), `n = ${n}, ${level}`);
    }
  }
});

test('the distribution is that of all ways to give out the signs, ties or not', () => {
  for (const ranks of [upTo(6), [1.5, 1.5, 3, 4], [2, 2, 2], [1, 2.5, 2.5, 4.5, 4.5, 6]]) {
    const sums = Array.from({ length: 2 ** ranks.length }, (_, signs) =>
      ranks.reduce((sum, rank, i) => sum + ((signs >> i) & 1) * rank, 0),
    );
    for (let w = -0.5; w <= ranks.reduce((sum, rank) => sum + rank, 0) + 1; w += 0.5)
      close(rankSumCdf(ranks, w), sums.filter(sum => sum <= w).length / sums.length);
  }
});

/**
 * Hamilton's depression scores before and after a tranquilliser, nine patients (Hollander and Wolfe, "Nonparametric
 * Statistical Methods", table 3.1).
 */
const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
const differences = after.map((value, i) => value - before[i]!);

test("the textbook's example: rank sums, p, estimate and interval", () => {
  const ranks = signedRanks(differences);
  assert.deepEqual([ranks.positive, ranks.negative], [5, 40]);
  close(signedRankP(ranks), (2 * 10) / 512);
  const { value, interval } = hodgesLehmann(differences)!;
  assert.equal(value.toFixed(3), '-0.460');
  assert.deepEqual(
    [interval!.low.toFixed(3), interval!.high.toFixed(3), interval!.confidence.toFixed(3)],
    ['-0.786', '-0.010', '0.961'],
  );
  close(rankBiserial(ranks), (5 - 40) / 45);
});

test('equal sizes share their mean rank, and differences of 0 have none', () => {
  assert.deepEqual(signedRanks([3, -3, 0, 1, 0, 3]), { ranks: [1, 3, 3, 3], positive: 7, negative: 3 });
  assert.deepEqual(signedRanks([]), { ranks: [], positive: 0, negative: 0 });
});

test('where nothing differs nothing is found', () => {
  const ranks = signedRanks([0, 0, 0]);
  assert.deepEqual([signedRankP(ranks), rankBiserial(ranks)], [1, 0]);
  assert.equal(hodgesLehmann([0, 0, 0])!.value, 0);
});

test('the effect is 1 or -1 where all pairs point one way', () => {
  assert.equal(rankBiserial(signedRanks([1, 2, 9])), 1);
  assert.equal(rankBiserial(signedRanks([-1, -2, 0])), -1);
  assert.equal(rankBiserial(signedRanks([-1, -2, 3])), 0);
});

test('the smallest p of so many pairs, and the fewest that can be significant', () => {
  for (const n of [1, 2, 5, 6, 10]) close(leastP(n), signedRankP(signedRanks(upTo(n))));
  assert.equal(fewestPairs(0.05), 6);
  assert.equal(fewestPairs(0.01), 8);
  assert.ok(leastP(5) >= 0.05 && leastP(6) < 0.05);
});

test('the estimate is the median of all pairwise means, its interval their ends where there are few', () => {
  assert.equal(hodgesLehmann([]), undefined);
  assert.deepEqual(hodgesLehmann([7]), { value: 7, interval: undefined });
  assert.deepEqual(hodgesLehmann([1, 2, 6]), {
    value: (2 + 3.5) / 2,
    interval: { low: 1, high: 6, confidence: 1 - 2 / 8 },
  }); // Walsh averages: 1 1.5 2 3.5 4 6
  assert.equal(hodgesLehmann([1, 2, 3, 4, 5, 6])!.interval!.confidence, 1 - 2 / 64);
});

test('moving all differences moves the estimate and its interval, and turning them turns them', () => {
  const { value, interval } = hodgesLehmann(differences)!;
  const moved = hodgesLehmann(differences.map(difference => difference + 10))!;
  const turned = hodgesLehmann(differences.map(difference => -difference))!;
  close(moved.value, value + 10);
  close(moved.interval!.low, interval!.low + 10);
  close(turned.value, -value);
  close(turned.interval!.low, -interval!.high);
});

test('by chance alone a p below a level is as rare as the level says, and the interval holds the truth as often as it says', () => {
  const random = seededRandom(5);
  const draws = 3000;
  for (const n of [6, 10]) {
    let rejected = 0;
    let covered = 0;
    let confidence = 0;
    for (let i = 0; i < draws; i++) {
      const sample = Array.from({ length: n }, () => random.next() - 0.5);
      if (signedRankP(signedRanks(sample)) < 0.05) rejected++;
      const { interval } = hodgesLehmann(sample)!;
      if (interval!.low <= 0 && interval!.high >= 0) covered++;
      ({ confidence } = interval!);
    }
    assert.ok(rejected / draws < 0.05 + 3.3 * Math.sqrt((0.05 * 0.95) / draws), `n = ${n}: ${rejected / draws}`);
    assert.ok(
      Math.abs(covered / draws - confidence) < 3.3 * Math.sqrt((confidence * (1 - confidence)) / draws),
      `n = ${n}: ${covered / draws}, not ${confidence}`,
    );
  }
});

test('a hundred pairs are no trouble', () => {
  const sample = upTo(100).map(i => i - 40);
  assert.equal(hodgesLehmann(sample)!.value, 10.5);
  assert.ok(signedRankP(signedRanks(sample)) < 0.001);
});

test('the smallest shift that pairs would have shown is an estimate that is shown, and what an estimate may fall short by', () => {
  const differences = [-0.4, 0.1, 0.3, -0.2, 0.6, -0.5, 0.2, 0.05];
  const reach = (confidence: number) => {
    const { value, interval } = hodgesLehmann(differences, confidence)!;
    return Math.max(value - interval!.low, interval!.high - value);
  };
  const { value } = hodgesLehmann(differences)!;
  const p = (shift: number) => signedRankP(signedRanks(differences.map(difference => difference - value + shift)));
  const shown = reach(0.95);
  assert.ok(p(shown + 1e-9) <= 0.05 && p(-shown - 1e-9) <= 0.05 && Math.max(p(shown - 1e-9), p(1e-9 - shown)) > 0.05);
  assert.equal(smallestShown(differences, 0.05), shown + reach(0.9));
  assert.equal(smallestShown([1, 2, 3, 4, 5], 0.05), undefined);
  assert.equal(smallestShown([1, 2, 3, 4, 5, 6], 0.05 / 8), undefined);
});

test('of shifts that are said to have been shown, no more than one in twenty was missed', () => {
  const random = seededRandom(18);
  let [quiet, missed] = [0, 0];
  for (let study = 0; study < 600; study++) {
    const shift = 2.5 * random.next();
    const differences = Array.from({ length: 9 }, () => shift + normal(random));
    if (signedRankP(signedRanks(differences)) <= 0.05) continue;
    quiet++;
    if (shift >= smallestShown(differences, 0.05)!) missed++;
  }
  assert.ok(quiet > 100 && missed <= quiet / 20, `${missed} of ${quiet}`);
});
