/** Pacing rate and send window (section "Sender Transmission Control" of draft-johansson-ccwg-rfc8298bis-screamv2). */

/** RATE_PACE_MIN, bit/s, and PACKET_PACING_HEADROOM. */
const minBps = 50e3;
const headRoom = 1.5;
/** What may be in flight, over the reference window (REF_WND_OVERHEAD). */
const windowOverhead = 5;

/** bit/s. */
export function pacingRateBps(targetBps: number): number {
  return Math.max(minBps, targetBps) * headRoom;
}

/** Bytes that may be in flight. */
export function sendWindowBytes(referenceBytes: number): number {
  return referenceBytes * windowOverhead;
}
