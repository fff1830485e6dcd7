/**
 * Last resort of GCC: if round trips exceed three seconds, or feedback is missing while packets are sent, the rate
 * falls by a fifth every second.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc, RttBasedBackoff.
 */

/** Round trip above which the guard lowers the rate (limit), ms. */
const limitMs = 3000;
/** Factor of one decrease (fraction), and shortest time between two decreases (interval), ms. */
const dropFactor = 0.8;
const dropIntervalMs = 1000;
/** Rate below which the guard does not lower the rate (floor), bit/s. */
const floorBps = 5e3;

export class RttGuard {
  #propagationMs = 0;
  #updatedMs = Infinity;
  #lastSentMs = -Infinity;

  onSent(sentMs: number): void {
    if (this.#updatedMs === Infinity) this.#updatedMs = sentMs;
    this.#lastSentMs = sentMs;
  }

  /**
   * Takes the round trip of a report. `propagationMs`: round trip without the time for which the receiver held the
   * report.
   */
  onFeedback(propagationMs: number, nowMs: number): void {
    this.#propagationMs = propagationMs;
    this.#updatedMs = nowMs;
  }

  /** True if the round trip plus the time from the last feedback to the last packet sent is above the limit. */
  get isAboveLimit(): boolean {
    return this.#propagationMs + Math.max(0, this.#lastSentMs - this.#updatedMs) > limitMs;
  }

  /**
   * Returns the lowered rate; undefined if the rate must not be lowered now. `decreasedMs`: time of the last decrease.
   */
  lower(rateBps: number, decreasedMs: number, nowMs: number): number | undefined {
    if (nowMs - decreasedMs < dropIntervalMs || rateBps <= floorBps) return undefined;
    return Math.max(rateBps * dropFactor, floorBps);
  }
}
