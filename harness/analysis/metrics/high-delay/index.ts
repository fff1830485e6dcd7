/**
 * Metric: share of the traffic whose round trip is longer than 190 ms, which is too long for a conversation.
 *
 * The round trip of a media packet is its delay to the viewer, from transport feedback, plus the delay of the idle
 * return path. Lost packets are not included. The round trip of an ICMP probe, five of which are sent a second, is
 * measured directly.
 */

import { object } from '../../../../core/schema/schema.ts';
import { lateRoundTripMs } from '../../../../core/vocabulary/late-round-trip.ts';
import { packetDelays, wayBackMs } from '../../derive/packet-delays.ts';
import { pingRoundTrips } from '../../derive/round-trips.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns the share of the times that are too long. `restMs`: rest of the round trip, added to each time. Null without
 * times.
 */
function shareHigh(timesMs: ArrayLike<number>, restMs = 0): number | null {
  let high = 0;
  for (let i = 0; i < timesMs.length; i++) if (timesMs[i]! + restMs > lateRoundTripMs) high++;
  return timesMs.length === 0 ? null : high / timesMs.length;
}

export const plugin: MetricPlugin = {
  id: 'high-delay',
  title: 'High delay',
  source: 'Philip et al. (Prudentia), high-delay packets of real-time services',
  params: object({}),
  reading: {
    needs: '`live-clip` for packets; any service for probes.',
    cannotTell: 'The delay of lost packets: they are not counted.',
    definitions: {
      'high-delay-packets':
        'Share of received media packets whose one-way delay plus the delay of the idle return path exceeds 190 ms.',
      'high-delay-probes': 'Share of answered ICMP probes with a round-trip time of more than 190 ms.',
    },
  },
  quantities: [
    { id: 'high-delay-packets', title: 'Media packets with a round trip over 190 ms', unit: 'ratio', better: 'lower' },
    {
      id: 'high-delay-probes',
      title: 'Probes with a round trip over 190 ms',
      unit: 'ratio',
      better: 'lower',
      of: 'link',
    },
  ],
  compute: async record => ({
    'high-delay-packets': shareHigh((await packetDelays(record)) ?? [], wayBackMs(record)),
  }),
  computeLink: async record => ({ 'high-delay-probes': shareHigh((await pingRoundTrips(record)).rttsMs) }),
};
