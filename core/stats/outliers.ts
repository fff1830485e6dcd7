/**
 * Finds outliers by Tukey's fences, 1.5 interquartile ranges beyond the quartiles (Tukey, "Exploratory Data Analysis",
 * 1977; quartiles of type 7). Outliers are marked but not excluded, because medians are robust against them.
 */
import { quantile } from './quantile.ts';

/** Smallest sample for which fences are computed. Quartiles of fewer values are not meaningful. */
export const fewestForOutliers = 5;
const reach = 1.5;

type Fences = { low: number; high: number };

/** Returns the two fences; values outside of them are outliers. Undefined for fewer than five values. */
export function tukeyFences(values: readonly number[]): Fences | undefined {
  if (values.length < fewestForOutliers) return undefined;
  const low = quantile(values, 0.25)!;
  const high = quantile(values, 0.75)!;
  return { low: low - reach * (high - low), high: high + reach * (high - low) };
}
