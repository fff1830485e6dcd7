/**
 * Losses and ECN marks as events, at most one per smoothed round trip, so that simultaneous losses reduce the window
 * once (RFC 8298, section 4.1.2.1). A loss has priority over a mark.
 */

export type CongestionEvent = 'loss' | 'ecn';

export class CongestionEvents {
  #eventMs = -Infinity;

  /**
   * Takes the numbers of packets that a message reports as lost and as marked. Returns the event; undefined if there is
   * none.
   */
  onFeedback(lostPackets: number, markedPackets: number, rttMs: number, nowMs: number): CongestionEvent | undefined {
    if ((lostPackets === 0 && markedPackets === 0) || nowMs - this.#eventMs < rttMs) return undefined;
    this.#eventMs = nowMs;
    return lostPackets > 0 ? 'loss' : 'ecn';
  }
}
