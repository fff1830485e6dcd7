/**
 * Congestion-window pushback: when more is in flight than the path should hold, frames are dropped (or,
 * where asked, the target is lowered) before they queue in the network.
 *
 * Source: libwebrtc 2026-08, goog_cc/congestion_window_pushback_controller.cc,
 * goog_cc_network_control.cc UpdateCongestionWindowSize, rtc_base/experiments/rate_control_settings.cc.
 */

/** Lowest rate that pushback asks for (MinBitrate), bit/s. */
const minBps = 30e3;
/** Least window, bytes. */
const minWindowBytes = 2 * 1500;
/** Reports whose longest round trip is remembered (kMaxFeedbackRttWindow). */
const rememberedRtts = 32;
/** How full the window may be, and what becomes of the ratio with every call. */
const overfull = { fill: 1.5, factor: 0.9 };
const full = { fill: 1, factor: 0.95 };
const emptyFill = 0.1;
const recoveryFactor = 1.05;

export class Pushback {
  /** Queue that is accepted on top of the round trip (QueueSize), ms. */
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

  /** The longest feedback round trip of one report, ms. */
  addRtt(maxRttMs: number): void {
    this.#maxRttsMs.push(maxRttMs);
    if (this.#maxRttsMs.length > rememberedRtts) this.#maxRttsMs.shift();
  }

  /** undefined until there was feedback. */
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

  /** The rate that fits the window; call once with every change of state. */
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
