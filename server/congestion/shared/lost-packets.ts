/**
 * Finds lost packets. A packet is lost if it is reported missing and still missing at the end of the reordering window
 * (RFC 8298, section 4.1.2.4; RFC 8985, RACK).
 *
 * The length of the window is the time for which the last late packet was missing. The length is zero at the start, and
 * never longer than the smoothed round trip (RFC 8985, section 6.2, step 4).
 */
import type { PacketResult } from '../controller.ts';

/** Time after which a lost packet is forgotten, ms. Own value, far longer than any reordering. */
const forgetMs = 5000;

type Missing = { markedMs: number; isLost: boolean };

export class LostPackets {
  /** Missing packets by sequence number, in the order in which they were first reported. */
  readonly #missing = new Map<number, Missing>();
  #reorderingMs = 0;

  get reorderingMs(): number {
    return this.#reorderingMs;
  }

  /**
   * Takes a feedback message; returns the number of packets that count as lost from now on. `rttMs`: smoothed round
   * trip.
   */
  onFeedback(packets: readonly PacketResult[], rttMs: number, nowMs: number): number {
    for (const { sequence, receivedMs } of packets) {
      const missing = this.#missing.get(sequence);
      if (receivedMs === null) {
        if (missing === undefined) this.#missing.set(sequence, { markedMs: nowMs, isLost: false });
      } else if (missing !== undefined) {
        this.#reorderingMs = Math.min(nowMs - missing.markedMs, rttMs);
        this.#missing.delete(sequence);
      }
    }
    let lost = 0;
    for (const [sequence, missing] of this.#missing) {
      const missingMs = nowMs - missing.markedMs;
      if (!missing.isLost && missingMs >= this.#reorderingMs) {
        missing.isLost = true;
        lost++;
      }
      if (missing.isLost && missingMs > forgetMs) this.#missing.delete(sequence);
    }
    return lost;
  }
}
