/**
 * Outliers by Tukey's fences, one and a half interquartile ranges beyond the quartiles (Tukey, "Exploratory Data
 * Analysis", 1977; quartiles of type 7). An outlier is marked but not excluded, because medians are robust against it.
 */
import { quantile } from './quantile.ts';

/** Of fewer values than these the quartiles say too little. */
export const fewestForOutliers = 5;
const reach = 1.5;

type Fences = { low: number; high: number };

/** Undefined for fewer than five values. */
export function tukeyFences(values: readonly number[]): Fences | undefined {
  if (values.length < fewestForOutliers) return undefined;
  const low = quantile(values, 0.25)!;
  const high = quantile(values, 0.75)!;
  return { low: low - reach * (high - low), high: high + reach * (high - low) };
}
