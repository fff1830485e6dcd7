/**
 * How much of the spread of values lies within groups and how much between them: the ANOVA estimates of the two
 * variances of a one-way random model with unequal group sizes (Searle, Casella and McCulloch, "Variance Components",
 * 1992, chapter 3).
 */
import { mean } from './quantile.ts';

/** Standard deviations, in the unit of the values; null where there are too few values to tell. */
export type Spread = {
  /** Of the values of one group; takes a group with two values. */
  within: number | null;
  /** Of the groups' means beyond what chance within the groups makes of them; takes two groups. */
  between: number | null;
};

/** Groups without a value do not count. */
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
  // what a group's size is worth: their mean where all are as large
  const size = (n - squares(({ length }) => length ** 2) / n) / (k - 1);
  return { within: Math.sqrt(within), between: Math.sqrt(Math.max(0, (between - within) / size)) };
}
