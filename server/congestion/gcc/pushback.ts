/**
 * Congestion window pushback: if more bytes are in flight than the path should hold, the encoder skips frames (or
 * optionally the target is lowered), so that the frames do not queue in the network.
 *
 * Source: libwebrtc 2026-08, goog_cc/congestion_window_pushback_controller.cc, goog_cc_network_control.cc
 * UpdateCongestionWindowSize, rtc_base/experiments/rate_control_settings.cc.
 */

/** Lowest rate to which pushback lowers the target (MinBitrate), bit/s. */
const minBps = 30e3;
/** Smallest congestion window, bytes. */
const minWindowBytes = 2 * 1500;
/** Number of reports for which the longest round trip is remembered (kMaxFeedbackRttWindow). */
const rememberedRtts = 32;
/** Ratios of bytes in flight to window, and factor on the pushback ratio above (or below `emptyFill`) each. */
const overfull = { fill: 1.5, factor: 0.9 };
const full = { fill: 1, factor: 0.95 };
const emptyFill = 0.1;
const recoveryFactor = 1.05;

export class Pushback {
  /** Queue delay that the window allows in addition to the round trip (QueueSize), ms. */
  readonly #queueMs: number;
  readonly #maxRttsMs: number[] = [];
  #windowBytes: number | undefined;
  #inFlightBytes = 0;
  #ratio = 1;

  constructor(queueMs: number) {
    this.#queueMs = queueMs;
  }

  setInFlight(bytes: number): void {
    this.#inFlightBytes = bytes;
  }

  /** Adds the longest feedback round trip of a report, ms. */
  addRtt(maxRttMs: number): void {
    this.#maxRttsMs.push(maxRttMs);
    if (this.#maxRttsMs.length > rememberedRtts) this.#maxRttsMs.shift();
  }

  /** Congestion window; undefined before the first feedback. */
  get windowBytes(): number | undefined {
    return this.#windowBytes;
  }

  updateWindow(targetBps: number): void {
    if (this.#maxRttsMs.length === 0) return;
    const bytes = (targetBps / 8000) * (Math.min(...this.#maxRttsMs) + this.#queueMs);
    this.#windowBytes = Math.max(
      minWindowBytes,
      this.#windowBytes === undefined ? bytes : (bytes + this.#windowBytes) / 2,
    );
  }

  /**
   * Returns the target rate times the pushback ratio. Each call changes this ratio, so the caller calls once per change
   * of state.
   */
  apply(targetBps: number): number {
    if (this.#windowBytes === undefined) return targetBps;
    const fill = this.#inFlightBytes / this.#windowBytes;
    if (fill > overfull.fill) this.#ratio *= overfull.factor;
    else if (fill > full.fill) this.#ratio *= full.factor;
    else if (fill < emptyFill) this.#ratio = 1;
    else this.#ratio = Math.min(1, this.#ratio * recoveryFactor);
    const pushedBps = targetBps * this.#ratio;
    return pushedBps < minBps ? Math.min(targetBps, minBps) : pushedBps;
  }
}
