/** Times of the packets of a flow whose rate changes in steps (RFC 8868, section 5.3, background UDP). */

/** Change of the rate, `afterMs` after the begin of the flow. A rate of 0 is a silence. */
type RateChange = { afterMs: number; rateBps: number };

export type Course = { rateBps: number; packetBytes: number; changes: readonly RateChange[] };

/**
 * Returns when the packet is due that follows the one due at `timeMs`, ms from the begin of the flow: when the rate has
 * carried the bits of a packet since then. Infinity if none follows.
 */
export function nextPacketMs({ rateBps: firstBps, packetBytes, changes }: Course, timeMs: number): number {
  let rateBps = changes.findLast(({ afterMs }) => afterMs <= timeMs)?.rateBps ?? firstBps;
  let [atMs, bits] = [timeMs, packetBytes * 8];
  for (const change of changes) {
    if (change.afterMs <= atMs) continue;
    const carriedBits = (rateBps * (change.afterMs - atMs)) / 1000;
    if (carriedBits >= bits) break;
    bits -= carriedBits;
    atMs = change.afterMs;
    rateBps = change.rateBps;
  }
  return rateBps === 0 ? Infinity : atMs + (bits * 1000) / rateBps;
}
