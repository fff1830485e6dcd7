/** Computes the growth rate of a counter over about the last second, for live display. */
import type { Reading } from '../../../core/stats/counters.ts';

/** Time over which the rate is computed, ms. */
const windowMs = 1000;
/** Age at which a reading is too old for a rate, ms. */
const staleMs = 3000;

export class RateMeter {
  #readings: Reading[] = [];

  /** Adds a reading. If the counter decreased, the counter was reset, and the meter starts anew. */
  add(reading: Reading): void {
    if (reading.value < (this.#readings.at(-1)?.value ?? 0)) this.#readings = [];
    this.#readings.push(reading);
    while (this.#readings.length > 2 && this.#readings[1]!.timeMs <= reading.timeMs - windowMs) this.#readings.shift();
  }

  /** Returns the growth per second; undefined if there are not two readings, or if the last reading is too old. */
  read(timeMs: number): number | undefined {
    const [first, last] = [this.#readings[0], this.#readings.at(-1)];
    if (first === undefined || last === undefined || last.timeMs <= first.timeMs || timeMs - last.timeMs > staleMs)
      return undefined;
    return ((last.value - first.value) * 1000) / (last.timeMs - first.timeMs);
  }
}
