/**
 * The last resort: when round trips are longer than three seconds, or feedback stays away while packets
 * are sent, the rate falls by a fifth every second.
 *
 * Source: libwebrtc 2026-08, goog_cc/send_side_bandwidth_estimation.cc, RttBasedBackoff.
 */

/** Longest round trip (limit), ms. */
const limitMs = 3000;
/** What is left of the rate (fraction) after each interval (interval), ms. */
const dropFactor = 0.8;
const dropIntervalMs = 1000;
/** The guard lowers no further (floor), bit/s. */
const floorBps = 5e3;

export class RttGuard {
  #propagationMs = 0;
  #updatedMs = Infinity;
  #lastSentMs = -Infinity;

  onSent(sentMs: number): void {
    if (this.#updatedMs === Infinity) this.#updatedMs = sentMs;
    this.#lastSentMs = sentMs;
  }

  /** `propagationMs`: round trip without the time that the packet's report waited at the receiver. */
  onFeedback(propagationMs: number, nowMs: number): void {
    this.#propagationMs = propagationMs;
    this.#updatedMs = nowMs;
  }

  /** Silence counts only while packets are sent. */
  get isAboveLimit(): boolean {
    return this.#propagationMs + Math.max(0, this.#lastSentMs - this.#updatedMs) > limitMs;
  }

  /** The lowered rate; undefined where it may not be lowered now. `decreasedMs` is when it last was. */
  lower(rateBps: number, decreasedMs: number, nowMs: number): number | undefined {
    if (nowMs - decreasedMs < dropIntervalMs || rateBps <= floorBps) return undefined;
    return Math.max(rateBps * dropFactor, floorBps);
  }
}
