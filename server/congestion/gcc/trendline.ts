/**
 * Detects a growing queue: fits a line through the last twenty smoothed delays, and compares its slope with an adaptive
 * threshold.
 *
 * Source: libwebrtc 2026-08, goog_cc/trendline_estimator.{h,cc}; threshold after Carlucci et al., "Analysis and Design
 * of the Google Congestion Control", MMSys 2016, section 4.2. The options "sort" and "cap" and the state predictor are
 * left out, because they are off by default.
 */

export type Usage = 'normal' | 'overuse' | 'underuse';

/** Weight of the previous value in the smoothed delay (smoothing_coef). */
const smoothing = 0.9;
/** Factor on the slope before it is compared with the threshold (threshold_gain). */
const thresholdGain = 4;
/** Highest number of delay changes by which the slope is multiplied (kMinNumDeltas). */
const maxWeightedDeltas = 60;
/** Highest number to which delay changes are counted (kDeltaCounterMax). */
const maxCountedDeltas = 1000;
/** Time for which the trend must be above the threshold (kOverUsingTimeThreshold), ms between send times. */
const overuseTimeMs = 10;
/** Initial threshold (threshold_), ms. */
const firstThresholdMs = 12.5;
const minThresholdMs = 6;
const maxThresholdMs = 600;
/** Speed at which the threshold follows a trend above the threshold (k_up) and below it (k_down), per ms. */
const thresholdUp = 0.0087;
const thresholdDown = 0.039;
/**
 * Distance from the threshold above which a trend is a spike (kMaxAdaptOffsetMs), ms. A spike does not change the
 * threshold.
 */
const spikeMs = 15;
/** Longest time for which one update changes the threshold (kMaxTimeDeltaMs), ms. */
const maxThresholdStepMs = 100;

type Sample = {
  /** Time from the first arrival to the arrival of this sample's packet. */
  arrivalMs: number;
  smoothedDelayMs: number;
};

export class Trendline {
  readonly #windowSamples: number;
  readonly #samples: Sample[] = [];
  #deltas = 0;
  #firstArrivalMs: number | undefined;
  /** Sum of all delay changes, and the smoothed sum. */
  #delayMs = 0;
  #smoothedDelayMs = 0;
  /** Slope of the newest line: growth of the queue delay in ms per ms. */
  #slope = 0;
  #modifiedTrendMs = 0;
  #thresholdMs = firstThresholdMs;
  #thresholdSetMs: number | undefined;
  /**
   * Send time for which the trend has been above the threshold, undefined while it is below; and number of delay
   * changes in this time.
   */
  #overMs: number | undefined;
  #overCount = 0;
  #usage: Usage = 'normal';

  constructor(windowSamples: number) {
    this.#windowSamples = windowSamples;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Slope times gain times number of delay changes, ms. This value is compared with the threshold. */
  get modifiedTrendMs(): number {
    return this.#modifiedTrendMs;
  }

  get thresholdMs(): number {
    return this.#thresholdMs;
  }

  /**
   * Takes the times between two groups, ms. `arrivalMs`: arrival time of the packet that completed the second group.
   */
  update(arrivalDeltaMs: number, sendDeltaMs: number, arrivalMs: number): void {
    this.#deltas = Math.min(this.#deltas + 1, maxCountedDeltas);
    this.#firstArrivalMs ??= arrivalMs;
    this.#delayMs += arrivalDeltaMs - sendDeltaMs;
    this.#smoothedDelayMs = smoothing * this.#smoothedDelayMs + (1 - smoothing) * this.#delayMs;
    this.#samples.push({ arrivalMs: arrivalMs - this.#firstArrivalMs, smoothedDelayMs: this.#smoothedDelayMs });
    if (this.#samples.length > this.#windowSamples) this.#samples.shift();
    const slope = this.#samples.length === this.#windowSamples ? (fitSlope(this.#samples) ?? this.#slope) : this.#slope;
    this.#detect(slope, sendDeltaMs, arrivalMs);
  }

  #detect(slope: number, sendDeltaMs: number, arrivalMs: number): void {
    if (this.#deltas < 2) {
      this.#usage = 'normal';
      return;
    }
    const trendMs = Math.min(this.#deltas, maxWeightedDeltas) * slope * thresholdGain;
    this.#modifiedTrendMs = trendMs;
    if (trendMs > this.#thresholdMs) {
      this.#overMs = this.#overMs === undefined ? sendDeltaMs / 2 : this.#overMs + sendDeltaMs;
      this.#overCount++;
      if (this.#overMs > overuseTimeMs && this.#overCount > 1 && slope >= this.#slope) {
        this.#overMs = 0;
        this.#overCount = 0;
        this.#usage = 'overuse';
      }
    } else {
      this.#overMs = undefined;
      this.#overCount = 0;
      this.#usage = trendMs < -this.#thresholdMs ? 'underuse' : 'normal';
    }
    this.#slope = slope;
    this.#adaptThreshold(Math.abs(trendMs), arrivalMs);
  }

  #adaptThreshold(trendMs: number, arrivalMs: number): void {
    const stepMs = Math.min(arrivalMs - (this.#thresholdSetMs ?? arrivalMs), maxThresholdStepMs);
    this.#thresholdSetMs = arrivalMs;
    if (trendMs > this.#thresholdMs + spikeMs) return;
    const gain = trendMs < this.#thresholdMs ? thresholdDown : thresholdUp;
    const adapted = this.#thresholdMs + gain * (trendMs - this.#thresholdMs) * stepMs;
    this.#thresholdMs = Math.min(Math.max(adapted, minThresholdMs), maxThresholdMs);
  }
}

/**
 * Returns the slope of the least-squares line through the samples; undefined if all samples arrived at the same time.
 */
function fitSlope(samples: readonly Sample[]): number | undefined {
  let meanX = 0;
  let meanY = 0;
  for (const { arrivalMs, smoothedDelayMs } of samples) {
    meanX += arrivalMs / samples.length;
    meanY += smoothedDelayMs / samples.length;
  }
  let covariance = 0;
  let variance = 0;
  for (const { arrivalMs, smoothedDelayMs } of samples) {
    covariance += (arrivalMs - meanX) * (smoothedDelayMs - meanY);
    variance += (arrivalMs - meanX) ** 2;
  }
  return variance === 0 ? undefined : covariance / variance;
}
