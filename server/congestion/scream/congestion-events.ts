/**
 * Turns losses and ECN marks into congestion events, at most one per smoothed round trip, so that losses at the same
 * time reduce the window only once (RFC 8298, section 4.1.2.1). A loss has priority over a mark.
 */

export type CongestionEvent = 'loss' | 'ecn';

export class CongestionEvents {
  #eventMs = -Infinity;

  /**
   * Takes the numbers of packets that a message reports as lost and as marked. Returns the congestion event; undefined
   * if there is no event.
   */
  onFeedback(lostPackets: number, markedPackets: number, rttMs: number, nowMs: number): CongestionEvent | undefined {
    if ((lostPackets === 0 && markedPackets === 0) || nowMs - this.#eventMs < rttMs) return undefined;
    this.#eventMs = nowMs;
    return lostPackets > 0 ? 'loss' : 'ecn';
  }
}
