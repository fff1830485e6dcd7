/**
 * The queue delay target of SCReAM. It rises if a flow that reacts only to losses keeps the queue long, and falls when
 * the queue gets shorter (RFC 8298, section 4.1.2.3, adjust_qdelay_target; the same in
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 *
 * The RFC stores 100 samples but uses 200 and 50 of them. This code stores 200, as the authors' code does.
 */

/** Number of samples for the variance and for the mean. */
const varianceSamples = 200;
const meanSamples = 50;
/** Share of round trips with a loss above which another flow is taken to fill the queue. */
const lossEventThreshold = 0.002;
/** Factor for the target above this threshold. */
const lossFactor = 1.5;
/** Variance below which the queue counts as steady, in squares of the low target. */
const steadyVariance = 0.2;
/** Factors for the target if the queue is short, and if it is unsteady. */
const fastDecrease = 0.5;
const slowDecrease = 0.9;

export class QueueDelayTarget {
  readonly #lowMs: number;
  readonly #highMs: number;
  /** Queue delays divided by the low target, oldest first; zeros at the start (qdelay_norm_hist). */
  readonly #samples: number[] = Array.from({ length: varianceSamples }, () => 0);
  #targetMs: number;

  /** `lowMs`, `highMs`: QDELAY_TARGET_LO and QDELAY_TARGET_HI. */
  constructor(lowMs: number, highMs: number) {
    this.#lowMs = lowMs;
    this.#highMs = highMs;
    this.#targetMs = lowMs;
  }

  get targetMs(): number {
    return this.#targetMs;
  }

  /** Takes a sample of the queue delay; called at regular intervals. */
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

/** Mean of the values from index `from` on. */
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
