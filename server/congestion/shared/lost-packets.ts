/**
 * Which packets are lost: reported missing, and still missing when the reordering window is over
 * (RFC 8298, section 4.1.2.4; RFC 8985, RACK).
 *
 * The window is the time that the last packet which came late was missing for. It starts at none, and is
 * never longer than the smoothed round trip (RFC 8985, section 6.2, step 4).
 */
import type { PacketResult } from '../controller.ts';

/** A packet is no longer waited for so long after it was marked; own choice, far above any reordering, ms. */
const forgetMs = 5000;

type Missing = { markedMs: number; isLost: boolean };

export class LostPackets {
  /** By sequence number, in the order in which they were marked. */
  readonly #missing = new Map<number, Missing>();
  #reorderingMs = 0;

  /** The reordering window, ms. */
  get reorderingMs(): number {
    return this.#reorderingMs;
  }

  /** Takes a message; returns how many packets are lost by it. `rttMs`: smoothed round trip. */
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
