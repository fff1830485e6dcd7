/**
 * Counts round trips by packets: a round ends when a packet that was sent after the start of the round is acknowledged.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateRoundTripCounter.
 */
export class Rounds {
  #count = 0;
  /** Sequence number. The round ends when a packet with a higher number is acknowledged. */
  #end = -1;
  #lastSent = -1;

  get count(): number {
    return this.#count;
  }

  /** Sequence number of the last packet sent; -1 before the first packet. */
  get lastSent(): number {
    return this.#lastSent;
  }

  onSent(sequence: number): void {
    this.#lastSent = sequence;
  }

  /** Takes an acknowledged packet. Returns true if the acknowledgement starts a new round. */
  onAcked(sequence: number): boolean {
    if (sequence <= this.#end) return false;
    this.#count++;
    this.#end = this.#lastSent;
    return true;
  }

  /** Restarts the current round. The round now ends when a packet that is sent after this call is acknowledged. */
  extend(): void {
    this.#end = this.#lastSent;
  }
}
