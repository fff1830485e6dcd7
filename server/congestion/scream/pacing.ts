/** The pacing rate: one window per round trip (RFC 8298, section 4.1.2.6). */

/** Lowest pacing rate (RATE_PACE_MIN), bit/s. */
const minBps = 50e3;

export function pacingRateBps(windowBytes: number, rttMs: number): number {
  return Math.max(minBps, (windowBytes * 8000) / rttMs);
}
