/** ICMP round trips of a trial's window. */
import type { TrialRecord } from '../record/trial-record.ts';

/** Round trips, ms, and how many probes got no answer. */
export async function pingRoundTrips(record: TrialRecord): Promise<{ rttsMs: number[]; lost: number }> {
  const { startMs, endMs } = record.window;
  const pings = (await record.pings()).filter(ping => ping.timeMs >= startMs && ping.timeMs < endMs);
  return { rttsMs: pings.flatMap(ping => ping.rttMs ?? []), lost: pings.filter(ping => ping.rttMs === null).length };
}
