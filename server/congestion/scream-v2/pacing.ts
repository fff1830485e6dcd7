/** Pacing rate and send window (section "Sender Transmission Control" of draft-johansson-ccwg-rfc8298bis-screamv2). */

/** Lowest pacing rate (RATE_PACE_MIN), bit/s; and ratio of pacing rate to target rate (PACKET_PACING_HEADROOM). */
const minBps = 50e3;
const headRoom = 1.5;
/** Ratio of the send window to the reference window (REF_WND_OVERHEAD). */
const windowOverhead = 5;

export function pacingRateBps(targetBps: number): number {
  return Math.max(minBps, targetBps) * headRoom;
}

/** Returns the send window: the limit for the bytes in flight. */
export function sendWindowBytes(referenceBytes: number): number {
  return referenceBytes * windowOverhead;
}
