/**
 * Median of durations of which some are censored: their observation stopped before they ended (Kaplan and Meier, 1958).
 */

/** Observed duration. `isOver`: false if it is censored, so that the true duration is longer than `value`. */
type Lasted = { value: number; isOver: boolean };

/** Tolerance for rounding errors when fractions are multiplied. */
const tolerance = 1e-9;

/**
 * Returns the Kaplan-Meier estimate of the median. Without censored values it is the ordinary median. If too many
 * values are censored to reach the median, it returns the longest value, and the true median is larger. Undefined for
 * an empty sample.
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
