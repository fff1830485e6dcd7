/** How much of two samples of names is of the same names. */

/** Two samples are mostly apart where no more than this part of them overlaps. */
const mostOverlap = 0.5;

function counts(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/**
 * Overlap of the two distributions, 0 (no name in common) to 1 (each name equally frequent in both): the sum over names
 * of the smaller share. 0 where a sample is empty.
 */
export function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const other = counts(b);
  // in whole numbers, so that a half is a half
  const common = [...counts(a)].map(([name, count]) => Math.min(count * b.length, (other.get(name) ?? 0) * a.length));
  return common.reduce((sum, count) => sum + count, 0) / (a.length * b.length);
}

/** Whether at least half of two samples is of different names; false where one is empty. */
export const isMostlyApart = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && overlap(a, b) <= mostOverlap;
