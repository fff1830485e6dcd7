/**
 * Average share of packets with a congestion mark. The average rises fast and falls slowly (l4s_alpha; section
 * "Receiving ECN-CE for L4S" of draft-johansson-ccwg-rfc8298bis-screamv2, after DCTCP, RFC 8257).
 */

/** Weight of a sample above the average (L4S_AVG_G_UP), and of a sample below it (L4S_AVG_G_DOWN). */
const weightUp = 1 / 8;
const weightDown = 1 / 128;
/** Shortest time between two updates, ms. The round trip replaces this time if it is shorter. */
const intervalMs = 10;

export class L4sAlpha {
  #alpha = 0;
  #delivered = 0;
  #marked = 0;
  #updatedMs = -Infinity;

  /** Average share of marked packets, 0 to 1. */
  get alpha(): number {
    return this.#alpha;
  }

  update(deliveredPackets: number, markedPackets: number, rttMs: number, nowMs: number): void {
    this.#delivered += deliveredPackets;
    this.#marked += markedPackets;
    if (this.#delivered === 0 || nowMs - this.#updatedMs < Math.min(intervalMs, rttMs)) return;
    const fraction = this.#marked / this.#delivered;
    this.#alpha =
      fraction >= this.#alpha ? weightUp * fraction + (1 - weightUp) * this.#alpha : (1 - weightDown) * this.#alpha;
    this.#updatedMs = nowMs;
    this.#delivered = 0;
    this.#marked = 0;
  }
}
