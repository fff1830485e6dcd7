/**
 * Shift between two independent samples A and B, for example the trials of two runs.
 *
 * The estimate is Hodges and Lehmann's: the median of all differences between a value of B and a value of A. Its
 * interval lies between the k-th smallest and the k-th largest of these differences. k comes from the exact
 * distribution of the Mann-Whitney statistic (Conover, "Practical Nonparametric Statistics", section 5.4), so the
 * interval is valid for any distribution; ties can only make it wider. The p value is that of a permutation test of the
 * rank sum. The test counts every split of the values into two samples, or a seeded random selection of splits if there
 * are too many (Good, "Permutation, Parametric and Bootstrap Tests", section 3.2).
 */
import { seededRandom } from '../random.ts';
import { choices } from './choices.ts';
import { ascending, median } from './quantile.ts';
import { power } from './signed-rank.ts';
import { studentQuantile } from './student-t.ts';

export type Shift = {
  /** Estimate of the shift, B minus A. Null if a sample is empty. */
  value: number | null;
  /**
   * Lower end of the interval of the estimate. Null if a sample is empty or the two samples together have fewer than
   * three values.
   */
  low: number | null;
  high: number | null;
  /**
   * Coverage of the interval, 0 to 1. It is below 0.95 if the samples are too small for an interval with that coverage.
   */
  confidence: number | null;
  /** Two-sided p value of the permutation test. Null if there is no interval. */
  p: number | null;
  /** Smallest p value that any split of these values into two samples can give. Samples that do not overlap give it. */
  leastP: number | null;
  nA: number;
  nB: number;
};

/**
 * Largest number of splits that are counted completely. If there are more splits, `draws` random ones are counted
 * instead.
 */
const mostWays = 20_000;
const draws = 9_999;
/**
 * Largest number of values for which the rank k is computed exactly. Above it, the normal approximation of the rank is
 * off by less than 1 %.
 */
const exactUpTo = 60;
/** Degrees of freedom at which Student's t agrees with the normal distribution to five digits. */
const normalFreedom = 1e5;

/** Returns the distribution function of the Mann-Whitney statistic U without ties: P(U <= u) for u = 0, 1, ... */
export function mannWhitneyCdf(nA: number, nB: number): number[] {
  // ways[j][u]: number of choices of j of the values seen so far for which U, the sum of their ranks minus the smallest
  // possible sum, is u
  const most = nA * nB;
  const ways = Array.from({ length: nA + 1 }, () => new Float64Array(most + 1));
  ways[0]![0] = 1;
  for (let seen = 1; seen <= nA + nB; seen++) {
    for (let j = Math.min(seen, nA); j >= 1; j--) {
      const above = seen - j; // number of smaller values that are not chosen
      for (let u = most; u >= above; u--) ways[j]![u]! += ways[j - 1]![u - above]!;
    }
  }
  const counts = ways[nA]!;
  const all = counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  return Array.from(counts, count => (sum += count) / all);
}

/**
 * Returns the largest k for which the interval has at least the coverage `confidence`, and the coverage of that
 * interval. If no interval reaches `confidence`, it returns k = 1, the whole range.
 */
function rankOf(nA: number, nB: number, confidence: number): { rank: number; coverage: number } {
  if (nA + nB > exactUpTo) {
    const spread = studentQuantile((1 - confidence) / 2, normalFreedom) * Math.sqrt((nA * nB * (nA + nB + 1)) / 12);
    return { rank: Math.max(1, Math.floor((nA * nB) / 2 - spread)), coverage: confidence };
  }
  const cdf = mannWhitneyCdf(nA, nB);
  let rank = 1;
  while (2 * (rank + 1) <= nA * nB && 1 - 2 * cdf[rank]! >= confidence) rank++;
  return { rank, coverage: Math.max(0, 1 - 2 * cdf[rank - 1]!) };
}

/** Returns the rank of each value, from 1. Equal values get the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const sorted = ascending(values);
  const of = new Map<number, number>();
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (sorted[to + 1] === sorted[from]) to++;
    of.set(sorted[from]!, (from + to) / 2 + 1);
    from = to + 1;
  }
  return values.map(value => of.get(value)!);
}

/** Calls `tell` once for each choice of `count` of the values, with the sum of the chosen values. */
function eachSum(values: readonly number[], count: number, tell: (sum: number) => void, from = 0, sum = 0): void {
  if (count === 0) return tell(sum);
  for (let i = from; i <= values.length - count; i++) eachSum(values, count - 1, tell, i + 1, sum + values[i]!);
}

/**
 * Returns the two-sided p value of a permutation test: the share of splits whose rank sum differs from the expected
 * rank sum at least as much as the rank sum of `a` does.
 */
export function permutationP(a: readonly number[], b: readonly number[]): number {
  const all = ranks([...a, ...b]);
  const expected = (a.length * (all.length + 1)) / 2;
  const distance = (sum: number) => Math.abs(sum - expected);
  const seen = distance(all.slice(0, a.length).reduce((sum, rank) => sum + rank, 0)) - 1e-9;
  let asFar = 0;
  let ways = 0;
  const tell = (sum: number) => {
    ways++;
    if (distance(sum) >= seen) asFar++;
  };
  if (choices(all.length, a.length) <= mostWays) {
    eachSum(all, a.length, tell);
    return asFar / ways;
  }
  const random = seededRandom(1);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0; // sum of the ranks of the first sample; each step draws one rank
    for (let i = 0; i < a.length; i++) {
      const j = i + Math.floor(random.next() * (all.length - i));
      const drawn = all[j]!;
      all[j] = all[i]!;
      all[i] = drawn;
      sum += drawn;
    }
    tell(sum);
  }
  return (asFar + 1) / (ways + 1); // the observed split counts as one of the splits
}

/**
 * Cache of results by sample sizes and ranks, on which alone a result depends. Most quantities of two runs have the
 * same sizes and ranks.
 */
const leastPs = new Map<string, number>();

/**
 * Returns the smallest p value that a permutation test of these values can give: with all the lowest values in one
 * sample, or all the highest.
 */
export function leastPermutationP(a: readonly number[], b: readonly number[]): number {
  const all = ascending([...a, ...b]);
  if (all[0] === all.at(-1)) return 1;
  const nA = a.length;
  const key = `${nA}: ${ranks(all).join(' ')}`;
  let least = leastPs.get(key);
  if (least === undefined) {
    const sides = [permutationP(all.slice(0, nA), all.slice(nA)), permutationP(all.slice(-nA), all.slice(0, -nA))];
    least = Math.min(...sides);
    leastPs.set(key, least);
  }
  return least;
}

/** Estimates the shift from A to B with its interval and p value. */
export function shift(a: readonly number[], b: readonly number[], confidence = 0.95): Shift {
  const [nA, nB] = [a.length, b.length];
  const differences = ascending(b.flatMap(own => a.map(other => own - other)));
  const value = median(differences) ?? null;
  if (nA === 0 || nB === 0 || nA + nB < 3)
    return { value, low: null, high: null, confidence: null, p: null, leastP: null, nA, nB };
  const { rank, coverage } = rankOf(nA, nB, confidence);
  return {
    value,
    low: differences[rank - 1]!,
    high: differences[nA * nB - rank]!,
    confidence: coverage,
    p: permutationP(a, b),
    leastP: leastPermutationP(a, b),
    nA,
    nB,
  };
}

/**
 * Returns the smallest true difference that a study with samples of this spread would show at `level`, two-sided, in 95
 * of 100 studies. As for pairs (signed-rank.ts), a study shows a difference if its estimate is further from 0 than its
 * interval reaches. In only 5 of 100 studies the estimate falls short of the true difference by more than the interval
 * of confidence 1 - 2 * 0.05 reaches. Undefined if the samples are too small to show any difference.
 */
export function smallestShown(a: readonly number[], b: readonly number[], level: number): number | undefined {
  const [nA, nB] = [a.length, b.length];
  if (nA === 0 || nB === 0 || 2 / choices(nA + nB, nA) >= level) return undefined;
  const differences = ascending(b.flatMap(own => a.map(other => own - other)));
  const value = median(differences)!;
  const reach = (confidence: number) => {
    const { rank } = rankOf(nA, nB, confidence);
    return Math.max(value - differences[rank - 1]!, differences[nA * nB - rank]! - value);
  };
  return reach(1 - level) + reach(1 - 2 * (1 - power));
}
