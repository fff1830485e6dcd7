/**
 * When a new target rate is handed to the encoder.
 *
 * An encoder that takes rate changes in passing gets every change that is worth a call. One that makes a
 * key frame of each (NVENC through FFmpeg) gets few: large ones, apart in time, and those that fall on a
 * key frame anyway; the pacer bridges the rest.
 */

/** A smaller change than this is not worth a call. */
const smallestChangeRatio = 0.01;
/** For encoders that make a key frame of each change. */
const coalesced = {
  /** Smallest change worth a key frame. */
  changeRatio: 0.15,
  /** Shortest time between two, ms. */
  apartMs: 1500,
  /** A drop of this much is strong over-use: it does not wait. */
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
   * The rate to set before the next frame, or undefined to leave it. `keyFrameDue`: the next frame is one anyway.
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
