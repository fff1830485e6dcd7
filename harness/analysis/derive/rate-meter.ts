/** The current growth rate of a counter, over the last second or so, for live display. */
import type { Reading } from '../../../core/stats/counters.ts';

/** A rate is that of the readings of the last so many ms. */
const windowMs = 1000;
/** A counter that was not read for so long has none, ms. */
const staleMs = 3000;

export class RateMeter {
  #readings: Reading[] = [];

  /** A counter that decreases has been reset; the meter then starts anew. */
  add(reading: Reading): void {
    if (reading.value < (this.#readings.at(-1)?.value ?? 0)) this.#readings = [];
    this.#readings.push(reading);
    while (this.#readings.length > 2 && this.#readings[1]!.timeMs <= reading.timeMs - windowMs) this.#readings.shift();
  }

  /** Growth per second; undefined where it was not read twice, or not lately. */
  read(timeMs: number): number | undefined {
    const [first, last] = [this.#readings[0], this.#readings.at(-1)];
    if (first === undefined || last === undefined || last.timeMs <= first.timeMs || timeMs - last.timeMs > staleMs)
      return undefined;
    return ((last.value - first.value) * 1000) / (last.timeMs - first.timeMs);
  }
}
