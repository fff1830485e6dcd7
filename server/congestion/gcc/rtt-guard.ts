/**
 * Last resort: if round trips exceed three seconds, or feedback is missing while packets are sent, the rate falls by a
 * fifth every second.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc, RttBasedBackoff.
 */

/** Longest allowed round trip (limit), ms. */
const limitMs = 3000;
/** Factor of the rate (fraction) after each interval (interval), ms. */
const dropFactor = 0.8;
const dropIntervalMs = 1000;
/** Rate below which the guard does not lower (floor), bit/s. */
const floorBps = 5e3;

export class RttGuard {
  #propagationMs = 0;
  #updatedMs = Infinity;
  #lastSentMs = -Infinity;

  onSent(sentMs: number): void {
    if (this.#updatedMs === Infinity) this.#updatedMs = sentMs;
    this.#lastSentMs = sentMs;
  }

  /** `propagationMs`: round trip without the wait of the packet's report at the receiver. */
  onFeedback(propagationMs: number, nowMs: number): void {
    this.#propagationMs = propagationMs;
    this.#updatedMs = nowMs;
  }

  /** True if the round trip is above the limit. Silence adds to it only while packets are sent. */
  get isAboveLimit(): boolean {
    return this.#propagationMs + Math.max(0, this.#lastSentMs - this.#updatedMs) > limitMs;
  }

  /** Returns the lowered rate; undefined if it may not be lowered now. `decreasedMs`: time of the last decrease. */
  lower(rateBps: number, decreasedMs: number, nowMs: number): number | undefined {
    if (nowMs - decreasedMs < dropIntervalMs || rateBps <= floorBps) return undefined;
    return Math.max(rateBps * dropFactor, floorBps);
  }
}
