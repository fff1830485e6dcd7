/**
 * Bytes sent and not yet reported on, and how many a message takes out of flight: everything up to the
 * newest packet it reports, lost packets and those of lost reports included (RFC 8298, section 4.1.2:
 * bytes_in_flight, bytes_newly_acked).
 */

export class BytesInFlight {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** `inFlightBytes` includes the packet just sent. */
  onSent(inFlightBytes: number): void {
    this.#bytes = inFlightBytes;
  }

  /** Takes what is in flight after a message; returns the bytes newly acked by it. */
  onFeedback(inFlightBytes: number): number {
    const ackedBytes = Math.max(0, this.#bytes - inFlightBytes);
    this.#bytes = inFlightBytes;
    return ackedBytes;
  }
}
