/** Computes the growth of a counter over a window from occasional readings of the counter. */

export type Reading = { timeMs: number; value: number };

export type Span = { startMs: number; endMs: number };

/**
 * Returns the value of a counter at `timeMs`, interpolated linearly between readings. Undefined if `timeMs` is more
 * than `slackMs` before the first or after the last reading.
 */
export function valueAt(readings: readonly Reading[], timeMs: number, slackMs = 1000): number | undefined {
  const first = readings[0];
  const last = readings.at(-1);
  if (first === undefined || last === undefined || timeMs < first.timeMs - slackMs || timeMs > last.timeMs + slackMs)
    return undefined;
  const after = readings.findIndex(reading => reading.timeMs >= timeMs);
  if (after === 0) return first.value;
  if (after < 0) return last.value;
  const a = readings[after - 1]!;
  const b = readings[after]!;
  return a.value + ((b.value - a.value) * (timeMs - a.timeMs)) / (b.timeMs - a.timeMs);
}

/**
 * Returns the growth of a counter over a window. Null if the start or the end of the window is too far from the
 * readings.
 */
export function growth(readings: readonly Reading[], { startMs, endMs }: Span): number | null {
  const from = valueAt(readings, startMs);
  const to = valueAt(readings, endMs);
  return from === undefined || to === undefined ? null : to - from;
}
