/**
 * Estimate of the link's capacity: a slow average of the acked bitrate at over-use, with two bounds. An acked bitrate
 * outside of the bounds means that the average is out of date.
 *
 * Source: libwebrtc 2026-08, goog_cc/link_capacity_estimator.{h,cc}. The update from probes (weight 0.5) is left out,
 * because it has no caller in libwebrtc.
 */

/** Weight of a new sample in the average (0.05 in OnOveruseDetected). */
const sampleWeight = 0.05;
/**
 * Limits of the variance, divided by the estimate, kbit/s; the lower limit is also the initial value. 0.4 means a
 * standard deviation of 14 kbit/s at 500 kbit/s.
 */
const minVarianceKbps = 0.4;
const maxVarianceKbps = 2.5;
/** Distance of each bound from the estimate in standard deviations. */
const boundDeviations = 3;

export class LinkCapacity {
  #estimateKbps: number | undefined;
  #varianceKbps = minVarianceKbps;

  /** Average; undefined before the first over-use. */
  get estimateBps(): number | undefined {
    return this.#estimateKbps === undefined ? undefined : this.#estimateKbps * 1000;
  }

  /** Upper bound; Infinity without an estimate. */
  get upperBoundBps(): number {
    return this.#estimateKbps === undefined ? Infinity : (this.#estimateKbps + this.#marginKbps()) * 1000;
  }

  /** Lower bound; 0 without an estimate. */
  get lowerBoundBps(): number {
    return this.#estimateKbps === undefined ? 0 : Math.max(0, this.#estimateKbps - this.#marginKbps()) * 1000;
  }

  reset(): void {
    this.#estimateKbps = undefined;
  }

  onOveruse(ackedBps: number): void {
    const sampleKbps = ackedBps / 1000;
    const estimateKbps =
      this.#estimateKbps === undefined
        ? sampleKbps
        : (1 - sampleWeight) * this.#estimateKbps + sampleWeight * sampleKbps;
    const error = (estimateKbps - sampleKbps) ** 2 / Math.max(estimateKbps, 1);
    const variance = (1 - sampleWeight) * this.#varianceKbps + sampleWeight * error;
    this.#estimateKbps = estimateKbps;
    this.#varianceKbps = Math.min(Math.max(variance, minVarianceKbps), maxVarianceKbps);
  }

  #marginKbps(): number {
    return boundDeviations * Math.sqrt(this.#varianceKbps * this.#estimateKbps!);
  }
}
