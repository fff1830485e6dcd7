/**
 * Decides when the encoder gets a new target rate.
 *
 * An encoder that changes its rate without a key frame gets every change of at least 1 %. An encoder that makes a key
 * frame at each change (NVENC through FFmpeg) gets few changes: large ones with some time between them, and those that
 * coincide with a key frame. The pacer evens out the difference to the target rate.
 */

/** Smallest relative change that is passed to the encoder. */
const smallestChangeRatio = 0.01;
/** Limits for an encoder that makes a key frame at each change. */
const coalesced = {
  /** Smallest relative change for which a key frame is accepted. */
  changeRatio: 0.15,
  /** Shortest time between two changes, ms. */
  apartMs: 1500,
  /** Relative drop that is applied at once, because such a drop means strong over-use. */
  urgentDropRatio: 0.35,
} as const;

export class RatePolicy {
  readonly #coalesce: boolean;
  #appliedBps: number;
  #appliedMs: number;

  constructor(rateChangeMakesKeyFrame: boolean, startBps: number, nowMs: number) {
    this.#coalesce = rateChangeMakesKeyFrame;
    this.#appliedBps = startBps;
    this.#appliedMs = nowMs;
  }

  /**
   * Returns the rate to set before the next frame; undefined if the current rate remains. `keyFrameDue`: true if the
   * next frame is a key frame in any case.
   */
  next(targetBps: number, keyFrameDue: boolean, nowMs: number): number | undefined {
    const change = targetBps / this.#appliedBps - 1;
    if (Math.abs(change) < smallestChangeRatio) return undefined;
    if (this.#coalesce && !keyFrameDue) {
      const urgent = change <= -coalesced.urgentDropRatio;
      const due = Math.abs(change) >= coalesced.changeRatio && nowMs - this.#appliedMs >= coalesced.apartMs;
      if (!urgent && !due) return undefined;
    }
    this.#appliedBps = targetBps;
    this.#appliedMs = nowMs;
    return targetBps;
  }
}
