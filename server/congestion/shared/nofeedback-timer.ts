/**
 * When the receiver has been silent for too long while packets were under way: the nofeedback timer of TFRC,
 * for controllers whose own sources say nothing about silence.
 *
 * Source: RFC 5348, sections 4.2 (2 s before the first round trip), 4.3 (four round trips) and 4.4 (half the rate at
 * each expiry). The two packets' time there is replaced by two of the longest intervals between reports.
 */

/** Before the first round trip is known (RFC 5348, 4.2), ms. */
const firstTimeoutMs = 2000;
const roundTrips = 4;
/** Chromium reports at least so often (libwebrtc 2026-08, transport_sequence_number_feedback_generator.cc), ms. */
const longestReportIntervalMs = 250;
const reportIntervals = 2;

export class NofeedbackTimer {
  #rttMs: number | undefined;
  /** Since when the silence counts; undefined while nothing is under way. */
  #sinceMs: number | undefined;

  onSent(nowMs: number): void {
    this.#sinceMs ??= nowMs;
  }

  /** `rttMs`: the newest round trip, where one is known; `inFlightBytes` after the report. */
  onFeedback(nowMs: number, rttMs: number | undefined, inFlightBytes: number): void {
    this.#rttMs = rttMs ?? this.#rttMs;
    this.#sinceMs = inFlightBytes > 0 ? nowMs : undefined;
  }

  /** Whether it expires now: each time is a reason to halve the rate. It starts anew then. */
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
