/**
 * Losses and ECN marks as events: one at most per smoothed round trip, so that the window is cut once for
 * what happened at once (RFC 8298, section 4.1.2.1). A loss outweighs a mark.
 */

export type CongestionEvent = 'loss' | 'ecn';

export class CongestionEvents {
  #eventMs = -Infinity;

  /** Packets that a message showed to be lost, and to be marked; undefined where that is no event. */
  onFeedback(lostPackets: number, markedPackets: number, rttMs: number, nowMs: number): CongestionEvent | undefined {
    if ((lostPackets === 0 && markedPackets === 0) || nowMs - this.#eventMs < rttMs) return undefined;
    this.#eventMs = nowMs;
    return lostPackets > 0 ? 'loss' : 'ecn';
  }
}
