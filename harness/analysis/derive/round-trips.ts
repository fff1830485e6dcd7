/** Round trips in a trial's window, from ICMP and from RTCP reports. */

import { excursionMs } from '../../../core/vocabulary/excursion.ts';
import { baseRttOf, pathOf } from '../../../core/vocabulary/link.ts';
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

/**
 * Returns the longest time in the window for which every answered probe had a round trip of more than `excursionMs`
 * above the base round trip, ms: from the first to the last of these probes, so 0 for one alone. Null if no probe was
 * answered.
 */
export async function longestExcursionMs(record: TrialRecord): Promise<number | null> {
  const { startMs, endMs } = record.window;
  const limitMs = excursionMs + baseRttOf(pathOf(record.link.paths, record.application.name));
  let longestMs: number | null = null;
  let sinceMs: number | null = null;
  for (const { timeMs, rttMs } of await record.read(pingSeries)) {
    if (timeMs < startMs || timeMs >= endMs || rttMs === null) continue;
    sinceMs = rttMs > limitMs ? (sinceMs ?? timeMs) : null;
    longestMs = Math.max(longestMs ?? 0, sinceMs === null ? 0 : timeMs - sinceMs);
  }
  return longestMs;
}

/** Returns the round trips from RTCP reports (RFC 3550, 6.4.1), ms. */
export async function reportedRoundTrips(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  return (await record.read(roundTripSeries))
    .filter(trip => trip.from === 'report' && trip.timeMs >= startMs && trip.timeMs < endMs)
    .map(trip => trip.rttMs);
}
