/**
 * The queue delay target of SCReAM. The target rises if another flow, which reacts only to losses, keeps the queue
 * long. The target falls when the queue gets shorter (RFC 8298, section 4.1.2.3, adjust_qdelay_target; the same in
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 *
 * The RFC stores 100 samples but uses 200 and 50 of them. This code stores 200, as the authors' code does.
 */

/** Number of samples for the variance, and number of samples for the mean. */
const varianceSamples = 200;
const meanSamples = 50;
/** Share of round trips with a loss above which another flow is assumed to fill the queue. */
const lossEventThreshold = 0.002;
/** Factor on the target if the share of round trips with a loss is above `lossEventThreshold`. */
const lossFactor = 1.5;
/** Variance of the queue delay below which the queue counts as steady, in squares of the low target. */
const steadyVariance = 0.2;
/** Factors on the target: if the queue is short, and if the queue is unsteady. */
const fastDecrease = 0.5;
const slowDecrease = 0.9;

export class QueueDelayTarget {
  readonly #lowMs: number;
  readonly #highMs: number;
  /** Queue delays divided by the low target, oldest first; zeros at the start (qdelay_norm_hist). */
  readonly #samples: number[] = Array.from({ length: varianceSamples }, () => 0);
  #targetMs: number;

  /** Makes a target between `lowMs` (QDELAY_TARGET_LO) and `highMs` (QDELAY_TARGET_HI). */
  constructor(lowMs: number, highMs: number) {
    this.#lowMs = lowMs;
    this.#highMs = highMs;
    this.#targetMs = lowMs;
  }

  get targetMs(): number {
    return this.#targetMs;
  }

  /** Takes a queue delay and the share of round trips with a loss. Called at regular intervals. */
  update(queueDelayMs: number, lossEventRatio: number): void {
    this.#samples.push(queueDelayMs / this.#lowMs);
    this.#samples.shift();
    const variance = varianceOf(this.#samples);
    const newMs = (meanOf(this.#samples, varianceSamples - meanSamples) + Math.sqrt(variance)) * this.#lowMs;
    this.#targetMs = Math.max(this.#lowMs, Math.min(this.#highMs, this.#next(newMs, variance, lossEventRatio)));
  }

  #next(newMs: number, variance: number, lossEventRatio: number): number {
    if (lossEventRatio > lossEventThreshold) return lossFactor * newMs;
    if (variance < steadyVariance) return newMs;
    return newMs < this.#lowMs ? Math.max(this.#targetMs * fastDecrease, newMs) : this.#targetMs * slowDecrease;
  }
}

/** Returns the mean of the values from index `from` on. */
function meanOf(values: readonly number[], from = 0): number {
  let sum = 0;
  for (let k = from; k < values.length; k++) sum += values[k]!;
  return sum / (values.length - from);
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += (values[k]! - mean) ** 2;
  return sum / values.length;
}
