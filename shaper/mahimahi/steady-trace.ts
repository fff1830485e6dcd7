/** Trace for mm-link that has the same rate all the time. */

/** Bytes of one opportunity of mm-link: an IP packet of 1500 bytes with the header of a TUN device (link_queue.hh). */
export const opportunityBytes = 1504;
/** Bytes that mm-link counts of each packet in addition to the IP packet: the header of a TUN device (linux/if_tun.h). */
export const tunHeaderBytes = 4;

/** Step of the clock of mahimahi's shells, ms (util/timestamp.cc). */
export const shellStepMs = 1;

/** Shortest and longest period of a trace, ms. */
const periods = { leastMs: 1000, mostMs: 60_000 } as const;
/** Largest number of opportunities in a trace of more than the shortest period. */
const mostOpportunities = 1e6;
/** Largest error of the rate, as a share, that is accepted without a longer period. */
const accepted = 1e-6;

/**
 * Returns the contents of a trace that has `perSecond` opportunities in a second: a time in whole ms on each line. No
 * opportunity comes before its time at that rate; the last one ends the period, which repeats.
 */
export function steadyTrace(perSecond: number): string {
  const periodMs = bestPeriodMs(perSecond);
  const opportunities = Math.max(1, Math.round((perSecond * periodMs) / 1000));
  let text = '';
  for (let k = 1; k <= opportunities; k++) text += `${Math.ceil((k * periodMs) / opportunities)}\n`;
  return text;
}

/** Returns the period, ms, in which a whole number of opportunities gives the rate with the least error. */
function bestPeriodMs(perSecond: number): number {
  let best: { ms: number; error: number } = { ms: periods.leastMs, error: Infinity };
  const mostMs = Math.max(periods.leastMs, Math.min(periods.mostMs, (mostOpportunities * 1000) / perSecond));
  for (let ms: number = periods.leastMs; ms <= mostMs; ms++) {
    const exact = (perSecond * ms) / 1000;
    const error = Math.abs(Math.round(exact) / exact - 1);
    if (error < best.error) best = { ms, error };
    if (error <= accepted) break;
  }
  return best.ms;
}
