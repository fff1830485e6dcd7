/**
 * The nofeedback timer of TFRC: it expires if the receiver is silent for too long while packets are in flight. Used by
 * controllers whose sources have no rule for a silent receiver.
 *
 * Source: RFC 5348, sections 4.2 (2 s before the first round trip), 4.3 (four round trips) and 4.4 (half the rate at
 * each expiry). Deviation: twice the longest report interval replaces the RFC's time of two packets.
 */

/** Timeout while no round trip is known (RFC 5348, 4.2), ms. */
const firstTimeoutMs = 2000;
const roundTrips = 4;
/**
 * Longest time between two feedback messages of Chromium (libwebrtc 2026-08,
 * transport_sequence_number_feedback_generator.cc), ms.
 */
const longestReportIntervalMs = 250;
const reportIntervals = 2;

export class NofeedbackTimer {
  #rttMs: number | undefined;
  /** Start of the receiver's silence, ms; undefined while no packet is in flight. */
  #sinceMs: number | undefined;

  onSent(nowMs: number): void {
    this.#sinceMs ??= nowMs;
  }

  /**
   * Restarts the timer. `rttMs`: newest round trip, undefined if unknown. `inFlightBytes`: bytes in flight after the
   * feedback.
   */
  onFeedback(nowMs: number, rttMs: number | undefined, inFlightBytes: number): void {
    this.#rttMs = rttMs ?? this.#rttMs;
    this.#sinceMs = inFlightBytes > 0 ? nowMs : undefined;
  }

  /** Returns true if the timer expires now, and then restarts the timer. The caller halves its rate at each expiry. */
  expires(nowMs: number): boolean {
    if (this.#sinceMs === undefined || nowMs - this.#sinceMs < this.timeoutMs) return false;
    this.#sinceMs = nowMs;
    return true;
  }

  get timeoutMs(): number {
    return this.#rttMs === undefined
      ? firstTimeoutMs
      : Math.max(roundTrips * this.#rttMs, reportIntervals * longestReportIntervalMs);
  }
}
