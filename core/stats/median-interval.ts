/**
 * Confidence interval of a median for any distribution: from the r-th smallest to the r-th largest value (inversion of
 * the sign test; Conover, "Practical Nonparametric Statistics", section 3.2).
 *
 * The coverage is exact: 1 - 2 P(Binomial(n, 1/2) < r). Fewer than six values cannot reach 95 %. Their interval is the
 * whole range, with the coverage that the range has.
 */
import { ascending } from './quantile.ts';

export type MedianInterval = {
  low: number;
  high: number;
  /** Coverage: minimum probability that the interval contains the median. */
  confidence: number;
};

/** Returns P(Binomial(n, 1/2) <= k). */
export function binomialHalfCdf(n: number, k: number): number {
  let term = 0.5 ** n;
  let sum = 0;
  for (let i = 0; i <= k && i <= n; i++) {
    sum += term;
    term *= (n - i) / (i + 1);
  }
  return Math.min(1, sum);
}

/**
 * Returns the largest rank r whose interval covers the median with probability `confidence`. Returns 1, which means the
 * whole range, if no interval does.
 */
export function intervalRank(n: number, confidence: number): number {
  let rank = 1;
  while (rank + 1 <= n / 2 && 1 - 2 * binomialHalfCdf(n, rank) >= confidence) rank++;
  return rank;
}

/** Returns the coverage of the interval of the median of `n` values. Undefined for fewer than two values. */
export function medianCoverage(n: number, confidence = 0.95): number | undefined {
  return n < 2 ? undefined : 1 - 2 * binomialHalfCdf(n, intervalRank(n, confidence) - 1);
}

/** Returns the smallest number of values whose interval can reach the coverage `confidence`. */
export function leastForInterval(confidence = 0.95): number {
  let n = 2;
  while (medianCoverage(n, confidence)! < confidence) n++;
  return n;
}

/** Returns the median's confidence interval. Undefined for fewer than two values. */
export function medianInterval(values: readonly number[], confidence = 0.95): MedianInterval | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const sorted = ascending(values);
  const rank = intervalRank(n, confidence);
  return { low: sorted[rank - 1]!, high: sorted[n - rank]!, confidence: medianCoverage(n, confidence)! };
}
