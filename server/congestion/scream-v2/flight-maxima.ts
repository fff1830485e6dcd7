/**
 * The most that was in flight in this round trip and in the last one (max_bytes_in_flight and
 * max_bytes_in_flight_prev; section "Status Update When Sending Data" of
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 */

export class FlightMaxima {
  #currentBytes = 0;
  #previousBytes = 0;
  #startedMs = -Infinity;

  /** Of the last round trip. */
  get previousBytes(): number {
    return this.#previousBytes;
  }

  /** Of both. */
  get bytes(): number {
    return Math.max(this.#currentBytes, this.#previousBytes);
  }

  onSent(inFlightBytes: number): void {
    this.#currentBytes = Math.max(this.#currentBytes, inFlightBytes);
  }

  /** Begins a new round trip where one is over. */
  update(inFlightBytes: number, rttMs: number, nowMs: number): void {
    if (nowMs - this.#startedMs < rttMs) return;
    this.#startedMs = nowMs;
    this.#previousBytes = this.#currentBytes;
    this.#currentBytes = inFlightBytes;
  }
}
