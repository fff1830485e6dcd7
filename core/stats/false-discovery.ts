/**
 * Corrects p values for multiple comparisons: among the values below a level, the expected share of chance results is
 * at most that level (Benjamini and Hochberg, 1995). The correction is valid for tests that are independent or
 * positively dependent, as those of the quantities of a trial are.
 */

/** Conventional significance level: a difference with a lower p value is not attributed to chance. */
export const significance = 0.05;

/** Returns the corrected p values, in the order of `ps`. */
export function correctedPs(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => ps[b]! - ps[a]!);
  const corrected = new Array<number>(ps.length);
  let least = 1;
  for (const [k, i] of order.entries()) {
    least = Math.min(least, (ps[i]! * ps.length) / (ps.length - k));
    corrected[i] = least;
  }
  return corrected;
}
