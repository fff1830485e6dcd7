/**
 * The median of how long things took, some of which were given up before they had come to their end (Kaplan and Meier,
 * 1958).
 */

/** `isOver`: it took so long; not so: it took longer than that, nobody knows how much. */
type Lasted = { value: number; isOver: boolean };

/** Rounding of products of fractions. */
const tolerance = 1e-9;

/**
 * The median by the Kaplan-Meier estimate; of a complete sample its ordinary median. If more than half were given up,
 * it is only known to be longer than the longest, which is returned. Undefined for an empty sample.
 */
export function censoredMedian(sample: readonly Lasted[]): number | undefined {
  const sorted = [...sample].sort((a, b) => a.value - b.value || Number(b.isOver) - Number(a.isOver));
  let outlasting = 1;
  let half: number | undefined;
  for (const [k, { value, isOver }] of sorted.entries()) {
    if (!isOver) continue;
    if (half !== undefined) return (half + value) / 2;
    outlasting *= 1 - 1 / (sorted.length - k);
    if (outlasting < 0.5 - tolerance) return value;
    if (outlasting < 0.5 + tolerance) half = value;
  }
  return half ?? sorted.at(-1)?.value;
}
