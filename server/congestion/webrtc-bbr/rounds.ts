/**
 * Round trips counted by packets: a round ends when a packet is acknowledged that left after the round began.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateRoundTripCounter.
 */
export class Rounds {
  #count = 0;
  /** The round ends with the first packet after this. */
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

  /** Whether this packet starts a round. */
  onAcked(sequence: number): boolean {
    if (sequence <= this.#end) return false;
    this.#count++;
    this.#end = this.#lastSent;
    return true;
  }

  /** Restarts the present round: it begins now. */
  extend(): void {
    this.#end = this.#lastSent;
  }
}
