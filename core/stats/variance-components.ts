/**
 * Variance within groups and between groups of values: the ANOVA estimates for a one-way random model with unequal
 * group sizes (Searle, Casella and McCulloch, "Variance Components", 1992, chapter 3).
 */
import { mean } from './quantile.ts';

/** Standard deviations in the unit of the values. */
export type Spread = {
  /** Standard deviation within a group. Null if no group has two values. */
  within: number | null;
  /**
   * Standard deviation of the true group means, without the spread of the measured means that chance within groups
   * causes. Null if `within` is null or fewer than two groups have values.
   */
  between: number | null;
};

/** Returns the standard deviations within and between groups. Groups without values are ignored. */
export function spreadOf(groups: readonly (readonly number[])[]): Spread {
  const given = groups.filter(({ length }) => length > 0);
  const n = given.reduce((sum, { length }) => sum + length, 0);
  const k = given.length;
  if (n <= k) return { within: null, between: null };
  const all = mean(given.flat())!;
  const squares = (of: (values: readonly number[]) => number) => given.reduce((sum, values) => sum + of(values), 0);
  const within = squares(values => values.reduce((sum, value) => sum + (value - mean(values)!) ** 2, 0)) / (n - k);
  if (k < 2) return { within: Math.sqrt(within), between: null };
  const between = squares(values => values.length * (mean(values)! - all) ** 2) / (k - 1);
  // effective group size: equals the mean size if all groups have the same size
  const size = (n - squares(({ length }) => length ** 2) / n) / (k - 1);
  return { within: Math.sqrt(within), between: Math.sqrt(Math.max(0, (between - within) / size)) };
}
