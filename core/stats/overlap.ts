/** Overlap of two samples of names. */

/** Largest overlap of two samples that count as mostly different. */
const mostOverlap = 0.5;

function counts(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/**
 * Returns the overlap of the two distributions, from 0 (no name in common) to 1 (each name equally frequent in both):
 * the sum over names of the smaller share. Returns 0 if a sample is empty.
 */
export function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const other = counts(b);
  // integer arithmetic, so that an overlap of exactly one half is exact
  const common = [...counts(a)].map(([name, count]) => Math.min(count * b.length, (other.get(name) ?? 0) * a.length));
  return common.reduce((sum, count) => sum + count, 0) / (a.length * b.length);
}

/** True if at most half of the two samples overlaps. False if a sample is empty. */
export const isMostlyApart = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && overlap(a, b) <= mostOverlap;
