/**
 * Multiple comparisons: corrects p values so that the expected share of chance results among the values below a level
 * is at most that level (Benjamini and Hochberg, 1995). The correction is valid for tests that are independent or
 * positively dependent, as quantities of one trial are.
 */

/** Significance level: a lower p value does not count as chance, by convention. */
export const significance = 0.05;

/** Returns the corrected p values in the given order. */
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
