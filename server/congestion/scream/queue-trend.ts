/**
 * Trend of the queue delay and its memory. The trend is a number from 0 to 1 that indicates congestion before the queue
 * delay reaches its target (RFC 8298, section 4.1.2, update_variables).
 */

/** Weight of a new sample in the average (QDELAY_WEIGHT). */
const averageWeight = 0.1;
/** Number of samples for the trend (qdelay_fraction_hist). */
const samples = 20;
/** Factor of the memory after each sample. */
const memoryDecay = 0.99;

export class QueueTrend {
  /** Queue delays divided by their target, oldest first; zeros at the start. */
  readonly #fractions: number[] = Array.from({ length: samples }, () => 0);
  #averageFraction = 0;
  #trend = 0;
  #memory = 0;

  /** Trend (qdelay_trend), 0 to 1. */
  get trend(): number {
    return this.#trend;
  }

  /** The trend with a memory of past congestion (qdelay_trend_mem), 0 to 1. */
  get memory(): number {
    return this.#memory;
  }

  /** Takes a queue delay as a fraction of the target; called every 50 ms. */
  add(fraction: number): void {
    this.#averageFraction = (1 - averageWeight) * this.#averageFraction + averageWeight * fraction;
    this.#fractions.push(fraction);
    this.#fractions.shift();
    this.#trend = Math.min(1, Math.max(0, predictability(this.#fractions) * this.#averageFraction));
    this.#memory = Math.max(memoryDecay * this.#memory, this.#trend);
  }
}

/**
 * Returns the autocorrelation at a lag of one sample divided by that at lag zero, without the mean; 0 for a constant
 * delay.
 */
function predictability(values: readonly number[]): number {
  // rounding errors of the mean of equal numbers would look predictable
  if (values.every(value => value === values[0])) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [atNone, atOne] = [0, 0];
  for (const [i, value] of values.entries()) {
    atNone += (value - mean) ** 2;
    if (i > 0) atOne += (value - mean) * (values[i - 1]! - mean);
  }
  return atOne / atNone;
}
