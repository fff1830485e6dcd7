/** Pacing and send window (section "Sender Transmission Control" of draft-johansson-ccwg-rfc8298bis-screamv2). */

/** Lowest pacing rate (RATE_PACE_MIN), bit/s; and ratio of pacing rate to target rate (PACKET_PACING_HEADROOM). */
const minBps = 50e3;
const headRoom = 1.5;
/**
 * Longest burst in L4S mode, ms. The draft sends one packet at a time (t_pace), because a queue that marks from 1 ms on
 * marks the rest of a burst. A burst of 1 ms has the same effect with timers that fire up to 1 ms early or late.
 */
export const l4sBurstMs = 1;
/** Ratio of the send window to the reference window (REF_WND_OVERHEAD). */
const windowOverhead = 5;

export function pacingRateBps(targetBps: number): number {
  return Math.max(minBps, targetBps) * headRoom;
}

/** Returns the send window: the limit for the bytes in flight. */
export function sendWindowBytes(referenceBytes: number): number {
  return referenceBytes * windowOverhead;
}
