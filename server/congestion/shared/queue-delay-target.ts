/**
 * The queue delay target of SCReAM. It rises where a flow that reacts only to losses keeps the queue long, and falls
 * again when the queue does (RFC 8298, section 4.1.2.3, adjust_qdelay_target; the same in
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 *
 * The RFC stores 100 samples and uses 200 and 50 of them; 200 are stored here, as in the authors' code.
 */

/** Samples of the variance and of the mean. */
const varianceSamples = 200;
const meanSamples = 50;
/** Share of round trips with a loss above which another flow is blamed. */
const lossEventThreshold = 0.002;
/** ... and what the target is then multiplied by. */
const lossFactor = 1.5;
/** Variance, in squares of the low target, below which the queue counts as steady. */
const steadyVariance = 0.2;
/** What is left of the target where the queue is short, and where it is unsteady. */
const fastDecrease = 0.5;
const slowDecrease = 0.9;

export class QueueDelayTarget {
  readonly #lowMs: number;
  readonly #highMs: number;
  /** Queue delays over the low target, oldest first; zeros at the start (qdelay_norm_hist). */
  readonly #samples: number[] = Array.from({ length: varianceSamples }, () => 0);
  #targetMs: number;

  /** QDELAY_TARGET_LO and QDELAY_TARGET_HI, ms. */
  constructor(lowMs: number, highMs: number) {
    this.#lowMs = lowMs;
    this.#highMs = highMs;
    this.#targetMs = lowMs;
  }

  get targetMs(): number {
    return this.#targetMs;
  }

  /** Takes a sample of the queue delay; called at a steady pace. */
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

/** The mean of the values from that index on. */
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
