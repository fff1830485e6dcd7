/**
 * The distribution-free interval of a median: between the r-th smallest and the r-th largest value
 * (sign test inverted; Conover, "Practical Nonparametric Statistics", section 3.2).
 *
 * Its coverage is exact, whatever the distribution: 1 - 2 P(Binomial(n, 1/2) < r). Below six values no such
 * interval reaches 95 %; the range is given then, with the coverage that it has.
 */
import { ascending } from './quantile.ts';

export type MedianInterval = {
  low: number;
  high: number;
  /** Probability that the interval contains the median, at least. */
  confidence: number;
};

/** P(Binomial(n, 1/2) <= k). */
export function binomialHalfCdf(n: number, k: number): number {
  let term = 0.5 ** n;
  let sum = 0;
  for (let i = 0; i <= k && i <= n; i++) {
    sum += term;
    term *= (n - i) / (i + 1);
  }
  return Math.min(1, sum);
}

/** The largest r whose interval still covers `confidence`; 1, the whole range, where none does. */
export function intervalRank(n: number, confidence: number): number {
  let rank = 1;
  while (rank + 1 <= n / 2 && 1 - 2 * binomialHalfCdf(n, rank) >= confidence) rank++;
  return rank;
}

/** Coverage of the interval of so many values; undefined for fewer than two. */
export function medianCoverage(n: number, confidence = 0.95): number | undefined {
  return n < 2 ? undefined : 1 - 2 * binomialHalfCdf(n, intervalRank(n, confidence) - 1);
}

/** So many values have an interval of that confidence at least. */
export function leastForInterval(confidence = 0.95): number {
  let n = 2;
  while (medianCoverage(n, confidence)! < confidence) n++;
  return n;
}

/** Undefined for fewer than two values: one value has no interval. */
export function medianInterval(values: readonly number[], confidence = 0.95): MedianInterval | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const sorted = ascending(values);
  const rank = intervalRank(n, confidence);
  return { low: sorted[rank - 1]!, high: sorted[n - rank]!, confidence: medianCoverage(n, confidence)! };
}
