/** Rates of packet-delivery traces. Each opportunity of a trace carries `opportunityBytes`. */

const opportunityBytes = 1500;
const binMs = 1000;

/** Returns the rate, bit/s, of `opportunities` in `ms` milliseconds. */
export const rateOf = (opportunities: number, ms: number): number => (opportunities * opportunityBytes * 8000) / ms;

/**
 * Returns the lowest and the highest rate of the whole seconds of a trace, bit/s. Second k contains the times in (k, k
 * + 1], because the last time ends the trace and belongs to its last second. If the trace has fewer than two whole
 * seconds, both rates are its mean rate.
 */
export function ratesBySecond(timesMs: Uint32Array, periodMs: number): [lowest: number, highest: number] {
  const seconds = Math.floor(periodMs / binMs);
  if (seconds < 2) {
    const mean = rateOf(timesMs.length, periodMs);
    return [mean, mean];
  }
  let [lowest, highest, at] = [Infinity, 0, 0];
  for (let second = 1; second <= seconds; second++) {
    const from = at;
    while (at < timesMs.length && timesMs[at]! <= second * binMs) at++;
    lowest = Math.min(lowest, at - from);
    highest = Math.max(highest, at - from);
    // skips long pauses in one step
    if (at < timesMs.length && timesMs[at]! > (second + 1) * binMs) {
      lowest = 0;
      second = Math.ceil(timesMs[at]! / binMs) - 1;
    }
  }
  return [rateOf(lowest, binMs), rateOf(highest, binMs)];
}
