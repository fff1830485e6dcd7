/** Order statistics of a sample, and its mean. */

export function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/**
 * Returns the `p` quantile (`p` from 0 to 1) by linear interpolation (Hyndman and Fan, 1996, type 7). Undefined for an
 * empty sample.
 */
export function quantile(values: readonly number[], p: number): number | undefined {
  return quantileOfSorted(ascending(values), p);
}

/** Returns the `p` quantile of values that are already sorted in ascending order. Undefined for an empty sample. */
export function quantileOfSorted(sorted: readonly number[], p: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (at - below);
}

export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
