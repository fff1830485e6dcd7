/**
 * Largest number of bytes in flight in the current and in the previous round trip (max_bytes_in_flight and
 * max_bytes_in_flight_prev; section "Status Update When Sending Data" of draft-johansson-ccwg-rfc8298bis-screamv2).
 */

export class FlightMaxima {
  #currentBytes = 0;
  #previousBytes = 0;
  #startedMs = -Infinity;

  /** Maximum in the previous round trip. */
  get previousBytes(): number {
    return this.#previousBytes;
  }

  /** Maximum in the current and the previous round trip. */
  get bytes(): number {
    return Math.max(this.#currentBytes, this.#previousBytes);
  }

  onSent(inFlightBytes: number): void {
    this.#currentBytes = Math.max(this.#currentBytes, inFlightBytes);
  }

  /** Starts a new round trip with `inFlightBytes` as its first maximum if the current round trip is over. */
  update(inFlightBytes: number, rttMs: number, nowMs: number): void {
    if (nowMs - this.#startedMs < rttMs) return;
    this.#startedMs = nowMs;
    this.#previousBytes = this.#currentBytes;
    this.#currentBytes = inFlightBytes;
  }
}
