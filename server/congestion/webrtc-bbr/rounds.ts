/**
 * Counts round trips by packets: a round ends when a packet that was sent after the start of the round is acknowledged.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateRoundTripCounter.
 */
export class Rounds {
  #count = 0;
  /** The acknowledgement of a packet after this one ends the round. */
  #end = -1;
  #lastSent = -1;

  get count(): number {
    return this.#count;
  }

  /** Sequence number of the last packet sent; -1 before the first. */
  get lastSent(): number {
    return this.#lastSent;
  }

  onSent(sequence: number): void {
    this.#lastSent = sequence;
  }

  /** Returns true if this packet starts a round. */
  onAcked(sequence: number): boolean {
    if (sequence <= this.#end) return false;
    this.#count++;
    this.#end = this.#lastSent;
    return true;
  }

  /** Restarts the current round. */
  extend(): void {
    this.#end = this.#lastSent;
  }
}
