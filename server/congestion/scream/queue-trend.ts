/**
 * Trend of the queue delay, and memory of the trend. The trend is a number from 0 to 1 that indicates congestion before
 * the queue delay reaches its target (RFC 8298, section 4.1.2, update_variables).
 */

/** Weight of a new sample in the averaged fraction (QDELAY_WEIGHT). */
const averageWeight = 0.1;
/** Number of samples from which the trend is computed (qdelay_fraction_hist). */
const samples = 20;
/** Factor by which the memory decreases with each sample. */
const memoryDecay = 0.99;

export class QueueTrend {
  /** Queue delays divided by the queue delay target, oldest first; zeros at the start. */
  readonly #fractions: number[] = Array.from({ length: samples }, () => 0);
  #averageFraction = 0;
  #trend = 0;
  #memory = 0;

  /** Trend of the queue delay (qdelay_trend), 0 to 1. */
  get trend(): number {
    return this.#trend;
  }

  /** Memory of the trend (qdelay_trend_mem), 0 to 1: stays high for some time after congestion. */
  get memory(): number {
    return this.#memory;
  }

  /** Takes a queue delay divided by the queue delay target; called every 50 ms. */
  add(fraction: number): void {
    this.#averageFraction = (1 - averageWeight) * this.#averageFraction + averageWeight * fraction;
    this.#fractions.push(fraction);
    this.#fractions.shift();
    this.#trend = Math.min(1, Math.max(0, predictability(this.#fractions) * this.#averageFraction));
    this.#memory = Math.max(memoryDecay * this.#memory, this.#trend);
  }
}

/**
 * Returns the autocorrelation of the values at a lag of one sample, divided by that at lag zero, after subtracting the
 * mean; 0 for equal values.
 */
function predictability(values: readonly number[]): number {
  // Rounding errors in the mean of equal values would look predictable.
  if (values.every(value => value === values[0])) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [atNone, atOne] = [0, 0];
  for (const [i, value] of values.entries()) {
    atNone += (value - mean) ** 2;
    if (i > 0) atOne += (value - mean) * (values[i - 1]! - mean);
  }
  return atOne / atNone;
}
