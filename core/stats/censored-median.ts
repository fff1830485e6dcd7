/** Median of durations, some of which are censored: the observation stopped before the end (Kaplan and Meier, 1958). */

/** A duration. `isOver`: false if it is censored, so the true duration is longer than `value`. */
type Lasted = { value: number; isOver: boolean };

/** Tolerance for rounding in products of fractions. */
const tolerance = 1e-9;

/**
 * Returns the Kaplan-Meier estimate of the median, which for uncensored values is the ordinary median. If more than
 * half of the values are censored, the median exceeds the longest value, which is returned. Undefined for an empty
 * sample.
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
