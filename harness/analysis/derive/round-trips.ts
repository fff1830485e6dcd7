/** Round trips in a trial's window, from ICMP and from RTCP reports. */

import { pingSeries } from '../../record/series/ping.ts';
import { roundTripSeries } from '../../record/series/rtt.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';

/**
 * Returns the round trips of ICMP probes, ms, and the number of probes without answer. `within`: time in which the probes
 * were sent.
 */
export async function pingRoundTrips(
  record: TrialRecord,
  within: Window = record.window,
): Promise<{ rttsMs: number[]; lost: number }> {
  const { startMs, endMs } = within;
  const pings = (await record.read(pingSeries)).filter(ping => ping.timeMs >= startMs && ping.timeMs < endMs);
  return { rttsMs: pings.flatMap(ping => ping.rttMs ?? []), lost: pings.filter(ping => ping.rttMs === null).length };
}

/** Returns the round trips from RTCP reports (RFC 3550, 6.4.1), ms. */
export async function reportedRoundTrips(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  return (await record.read(roundTripSeries))
    .filter(trip => trip.from === 'report' && trip.timeMs >= startMs && trip.timeMs < endMs)
    .map(trip => trip.rttMs);
}
