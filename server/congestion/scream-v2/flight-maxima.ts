/**
 * Most bytes in flight in the current and in the last round trip (max_bytes_in_flight and max_bytes_in_flight_prev;
 * section "Status Update When Sending Data" of draft-johansson-ccwg-rfc8298bis-screamv2).
 */

export class FlightMaxima {
  #currentBytes = 0;
  #previousBytes = 0;
  #startedMs = -Infinity;

  /** Maximum of the last round trip. */
  get previousBytes(): number {
    return this.#previousBytes;
  }

  /** Maximum of both round trips. */
  get bytes(): number {
    return Math.max(this.#currentBytes, this.#previousBytes);
  }

  onSent(inFlightBytes: number): void {
    this.#currentBytes = Math.max(this.#currentBytes, inFlightBytes);
  }

  /** Starts a new round trip if the current one is over. */
  update(inFlightBytes: number, rttMs: number, nowMs: number): void {
    if (nowMs - this.#startedMs < rttMs) return;
    this.#startedMs = nowMs;
    this.#previousBytes = this.#currentBytes;
    this.#currentBytes = inFlightBytes;
  }
}
