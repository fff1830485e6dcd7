/**
 * Comparison of pairs: Wilcoxon's signed-rank test, exact, with its effect size and estimate (Wilcoxon, 1945; Hollander
 * and Wolfe, "Nonparametric Statistical Methods", sections 3.1 to 3.3; Kerby, 2014, for the rank-biserial correlation).
 *
 * If a condition has no effect, a difference is as likely positive as negative, so each of the 2^n assignments of signs
 * is equally likely. The distribution of the rank sum is counted exactly, not approximated. Differences of equal size
 * get their mean rank, and the count includes such ties. Differences of 0 have no sign and get no rank, as in
 * Wilcoxon's test.
 */
import type { MedianInterval } from './median-interval.ts';
import { ascending, quantileOfSorted } from './quantile.ts';

type SignedRanks = {
  /** Ranks of the differences by absolute size, without the differences of 0. Ties give half ranks. */
  ranks: number[];
  /** Sum of the ranks of the positive differences. `negative`: sum of the ranks of the negative differences. */
  positive: number;
  negative: number;
};

export function signedRanks(differences: readonly number[]): SignedRanks {
  const sorted = differences.filter(difference => difference !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const result: SignedRanks = { ranks: [], positive: 0, negative: 0 };
  for (let first = 0; first < sorted.length; ) {
    let next = first + 1;
    while (next < sorted.length && Math.abs(sorted[next]!) === Math.abs(sorted[first]!)) next++;
    const rank = (first + 1 + next) / 2;
    for (const difference of sorted.slice(first, next)) {
      result.ranks.push(rank);
      result[difference > 0 ? 'positive' : 'negative'] += rank;
    }
    first = next;
  }
  return result;
}

/**
 * Returns the distribution of the sum of the positive ranks if each rank has a random sign. The index is twice the sum,
 * because sums may be halves. The array ends at the index `limit`.
 */
function rankSumChances(ranks: readonly number[], limit: number): Float64Array {
  const chances = new Float64Array(limit + 1);
  chances[0] = 1;
  for (const rank of ranks) {
    const step = 2 * rank;
    for (let sum = limit; sum >= 0; sum--) chances[sum] = (chances[sum]! + (sum < step ? 0 : chances[sum - step]!)) / 2;
  }
  return chances;
}

/**
 * Returns P(W <= w) for the sum W of the positive ranks if each rank has a random sign. Ranks and `w` are integers or
 * halves.
 */
export function rankSumCdf(ranks: readonly number[], w: number): number {
  return w < 0
    ? 0
    : Math.min(
        1,
        rankSumChances(ranks, 2 * w).reduce((sum, chance) => sum + chance, 0),
      );
}

/**
 * Returns the two-sided p value of the hypothesis that the differences are symmetric around 0. Returns 1 if all
 * differences are 0.
 */
export function signedRankP({ ranks, positive, negative }: SignedRanks): number {
  return Math.min(1, 2 * rankSumCdf(ranks, Math.min(positive, negative)));
}

/**
 * Returns the smallest p value that a test of `pairs` pairs can give: the p value if all differences have the same
 * sign.
 */
export function leastP(pairs: number): number {
  return Math.min(1, 2 * 0.5 ** pairs);
}

/** Returns the smallest number of pairs that can give a p value below `level`. */
export function fewestPairs(level: number): number {
  let pairs = 1;
  while (leastP(pairs) >= level) pairs++;
  return pairs;
}

/**
 * Returns the matched-pairs rank-biserial correlation: 1 if every difference is positive, -1 if every difference is
 * negative, 0 if both signs balance.
 */
export function rankBiserial({ positive, negative }: SignedRanks): number {
  return positive + negative === 0 ? 0 : (positive - negative) / (positive + negative);
}

/**
 * Returns the Walsh averages, ascending: the mean of every two differences, and of each difference with itself (Walsh,
 * 1949).
 */
function walshAverages(differences: readonly number[]): number[] {
  return ascending(differences.flatMap((a, i) => differences.slice(i).map(b => (a + b) / 2)));
}

/** Statistical power of `smallestShown`: the share of studies that show a true shift of the returned size. */
export const power = 0.95;

/** Returns the distance from the estimate to the farther end of its interval. */
function reach(differences: readonly number[], confidence: number): number {
  const { value, interval } = hodgesLehmann(differences, confidence)!;
  return Math.max(value - interval!.low, interval!.high - value);
}

/**
 * Returns the smallest true shift that a study whose differences have this spread would show at `level`, two-sided, in
 * 95 of 100 studies. A study shows a shift if its estimate is further from 0 than its interval reaches. In only 5 of
 * 100 studies the estimate falls short of the true shift by more than the interval of confidence 1 - 2 * 0.05 reaches.
 * Undefined if there are too few pairs to show any shift.
 */
export function smallestShown(differences: readonly number[], level: number): number | undefined {
  if (leastP(differences.length) >= level) return undefined;
  return reach(differences, 1 - level) + reach(differences, 1 - 2 * (1 - power));
}

type Shift = { value: number; interval: MedianInterval | undefined };

/**
 * Returns the Hodges-Lehmann estimate of the shift of the differences from 0, and its interval. The interval inverts
 * the signed-rank test, which assumes that the differences are symmetric around their median. If there are too few
 * pairs for `confidence`, the interval is the whole range, with the coverage that the range has. Undefined if there are
 * no differences. A single difference has no interval.
 */
export function hodgesLehmann(differences: readonly number[], confidence = 0.95): Shift | undefined {
  const n = differences.length;
  if (n === 0) return undefined;
  const averages = walshAverages(differences);
  const value = quantileOfSorted(averages, 0.5)!;
  if (n === 1) return { value, interval: undefined };
  const chances = rankSumChances(
    Array.from({ length: n }, (_, i) => i + 1),
    (n * (n + 1)) / 2,
  ); // limit: twice the mean of the rank sum
  let outside = chances[0]!;
  let cut = 0;
  while (1 - 2 * (outside + chances[2 * (cut + 1)]!) >= confidence) outside += chances[2 * ++cut]!;
  return {
    value,
    interval: { low: averages[cut]!, high: averages[averages.length - 1 - cut]!, confidence: 1 - 2 * outside },
  };
}
