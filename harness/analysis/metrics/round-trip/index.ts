/** Metric: round trips between server and client, from ICMP at 5 Hz and from RTCP reports. */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, mean, median, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { excursionMs } from '../../../../core/vocabulary/excursion.ts';
import { longestExcursionMs, pingRoundTrips, reportedRoundTrips } from '../../derive/round-trips.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'round-trip',
  title: 'Round trip',
  source: 'Juntima et al., section 3.2: latency distribution; RFC 3550, 6.4.1',
  params: object({}),
  reading: {
    needs: 'Any service for ICMP; a call for RTCP.',
    cannotTell: 'What happens between two probes: ICMP runs at 5 Hz.',
    definitions: {
      'rtt-mean': 'Mean round-trip time of the ICMP probes sent in the window.',
      'rtt-median': 'Median of the same.',
      'rtt-p95': '95th percentile of the same.',
      'rtt-max': 'Longest of the same.',
      'rtt-excursion':
        `Longest time for which every answered probe had a round trip of more than ${excursionMs} ms above that of the ` +
        'idle path: from the first to the last of these probes.',
      'ping-loss': 'Share of the probes without an answer.',
      'rtcp-rtt-median': 'Median round-trip time by RTCP reports (RFC 3550, 6.4.1).',
    },
  },
  quantities: [
    { id: 'rtt-mean', title: 'Round trip, mean', unit: 'ms', better: 'lower', of: 'link' },
    { id: 'rtt-median', title: 'Round trip, median', unit: 'ms', better: 'lower', of: 'link' },
    { id: 'rtt-p95', title: 'Round trip, 95th percentile', unit: 'ms', better: 'lower', of: 'link' },
    { id: 'rtt-max', title: 'Round trip, longest', unit: 'ms', better: 'lower', of: 'link' },
    {
      id: 'rtt-excursion',
      title: `Round trip ${excursionMs} ms above the base, longest time`,
      unit: 's',
      better: 'lower',
      of: 'link',
    },
    { id: 'ping-loss', title: 'Probes lost', unit: 'ratio', better: 'lower', of: 'link' },
    { id: 'rtcp-rtt-median', title: 'Round trip by RTCP, median', unit: 'ms', better: 'lower' },
  ],
  compute: async record => ({ 'rtcp-rtt-median': median(await reportedRoundTrips(record)) ?? null }),
  async computeLink(record) {
    const { rttsMs, lost } = await pingRoundTrips(record);
    const sorted = ascending(rttsMs);
    const longestMs = await longestExcursionMs(record);
    return {
      'rtt-mean': mean(rttsMs) ?? null,
      'rtt-median': quantileOfSorted(sorted, 0.5) ?? null,
      'rtt-p95': quantileOfSorted(sorted, 0.95) ?? null,
      'rtt-max': sorted.at(-1) ?? null,
      'rtt-excursion': longestMs === null ? null : longestMs / 1000,
      'ping-loss': rttsMs.length + lost === 0 ? null : lost / (rttsMs.length + lost),
    };
  },
};
