/**
 * Counts the bytes in flight, and the bytes that a feedback message acknowledges: all bytes up to the newest packet in
 * the message, including lost packets and packets whose reports were lost (RFC 8298, section 4.1.2: bytes_in_flight,
 * bytes_newly_acked).
 */

export class BytesInFlight {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Called for each packet sent. `inFlightBytes` includes this packet. */
  onSent(inFlightBytes: number): void {
    this.#bytes = inFlightBytes;
  }

  /** Takes the bytes in flight after a feedback message; returns the bytes that the message newly acknowledges. */
  onFeedback(inFlightBytes: number): number {
    const ackedBytes = Math.max(0, this.#bytes - inFlightBytes);
    this.#bytes = inFlightBytes;
    return ackedBytes;
  }
}
