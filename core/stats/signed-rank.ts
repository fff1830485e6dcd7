/**
 * Pairs compared: Wilcoxon's signed-rank test, exact, with its effect size and estimate (Wilcoxon, 1945; Hollander and
 * Wolfe, "Nonparametric Statistical Methods", sections 3.1 to 3.3; Kerby, 2014, for the rank-biserial correlation).
 *
 * Where a condition changes nothing, a difference is as likely positive as negative: each of the 2^n ways to give out
 * the signs is equally likely, and the rank sum's distribution is counted, not approximated. Equal sizes share their
 * mean rank, and are counted so. Differences of 0 have no sign and are left out of the ranks, as Wilcoxon does.
 */
import type { MedianInterval } from './median-interval.ts';
import { ascending, quantileOfSorted } from './quantile.ts';

type SignedRanks = {
  /** Of the differences that are not 0, by size; halves where sizes are equal. */
  ranks: number[];
  /** Sum of the ranks of the positive differences, and of the negative ones. */
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
 * Chances of the sums of those ranks that a coin gives a plus, by twice the sum, so that halves have a place; up to
 * `limit`.
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

/** P(W <= w), W the sum of those ranks that a coin gives a plus. Ranks and `w` are whole numbers or halves. */
export function rankSumCdf(ranks: readonly number[], w: number): number {
  return w < 0
    ? 0
    : Math.min(
        1,
        rankSumChances(ranks, 2 * w).reduce((sum, chance) => sum + chance, 0),
      );
}

/** Two-sided p of the hypothesis that the differences lie evenly around 0; 1 where none of them is other than 0. */
export function signedRankP({ ranks, positive, negative }: SignedRanks): number {
  return Math.min(1, 2 * rankSumCdf(ranks, Math.min(positive, negative)));
}

/** The smallest p that so many pairs can give: that of differences that all point one way. */
export function leastP(pairs: number): number {
  return Math.min(1, 2 * 0.5 ** pairs);
}

/** Fewest pairs that can give a p below `level`. */
export function fewestPairs(level: number): number {
  let pairs = 1;
  while (leastP(pairs) >= level) pairs++;
  return pairs;
}

/**
 * Matched-pairs rank-biserial correlation: 1 where every difference is positive, -1 where every one is negative, 0
 * where neither side outweighs.
 */
export function rankBiserial({ positive, negative }: SignedRanks): number {
  return positive + negative === 0 ? 0 : (positive - negative) / (positive + negative);
}

/** Means of every two differences, and of each with itself, ascending (Walsh, 1949). */
function walshAverages(differences: readonly number[]): number[] {
  return ascending(differences.flatMap((a, i) => differences.slice(i).map(b => (a + b) / 2)));
}

/** Share of studies in which a shift that "would have been shown" is shown. */
export const power = 0.95;

/** How far the interval of this confidence reaches from the estimate, at most. */
function reach(differences: readonly number[], confidence: number): number {
  const { value, interval } = hodgesLehmann(differences, confidence)!;
  return Math.max(value - interval!.low, interval!.high - value);
}

/**
 * The smallest true shift that differences of this spread would have shown at `level`, two-sided, in 95 of 100 studies.
 * An estimate that lies further from 0 than its interval reaches is shown; and of the true shift it falls short by more
 * than the interval of twice the missed share only in that share of studies. Undefined where so few pairs show no
 * shift, however large.
 */
export function smallestShown(differences: readonly number[], level: number): number | undefined {
  if (leastP(differences.length) >= level) return undefined;
  return reach(differences, 1 - level) + reach(differences, 1 - 2 * (1 - power));
}

type Shift = { value: number; interval: MedianInterval | undefined };

/**
 * The Hodges-Lehmann estimate of how far the differences are moved from 0, and its interval: the signed-rank test
 * inverted, which asks that they lie evenly around their middle. Where too few pairs reach `confidence`, the whole
 * range with the coverage it has; undefined for no difference, without an interval for one.
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
  ); // twice the middle of all sums
  let outside = chances[0]!;
  let cut = 0;
  while (1 - 2 * (outside + chances[2 * (cut + 1)]!) >= confidence) outside += chances[2 * ++cut]!;
  return {
    value,
    interval: { low: averages[cut]!, high: averages[averages.length - 1 - cut]!, confidence: 1 - 2 * outside },
  };
}
