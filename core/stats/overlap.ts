/** Measures how far two samples of names overlap. */

/** Largest overlap, 0 to 1, at which two samples count as mostly different. */
const mostOverlap = 0.5;

function counts(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/**
 * Returns the overlap of the distributions of names in two samples, from 0 (no name in common) to 1 (each name equally
 * frequent in both): for each name the smaller of its two shares, summed. Returns 0 if a sample is empty.
 */
export function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const other = counts(b);
  // computed with integers, so that an overlap of one half is exactly 0.5
  const common = [...counts(a)].map(([name, count]) => Math.min(count * b.length, (other.get(name) ?? 0) * a.length));
  return common.reduce((sum, count) => sum + count, 0) / (a.length * b.length);
}

/** True if the overlap of the two samples is at most one half. False if a sample is empty. */
export const isMostlyApart = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && overlap(a, b) <= mostOverlap;
