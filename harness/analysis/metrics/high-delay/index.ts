/**
 * Share of the traffic that is too late for a conversation: round trips of more than 190 ms.
 *
 * For media packets the round trip is the delay of each packet to the viewer, from transport feedback, plus that of the
 * idle return path. Lost packets are not included. For ICMP probes, five a second, it is the measured round trip.
 */

import { object } from '../../../../core/schema/schema.ts';
import { lateRoundTripMs } from '../../../../core/vocabulary/late-round-trip.ts';
import { packetDelays, wayBackMs } from '../../derive/packet-delays.ts';
import { pingRoundTrips } from '../../derive/round-trips.ts';
import type { MetricPlugin } from '../metric.ts';

/** `restMs`: rest of the round trip, added to each time. */
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
  async compute(record) {
    const [delays, { rttsMs }] = await Promise.all([packetDelays(record), pingRoundTrips(record)]);
    return { 'high-delay-packets': shareHigh(delays ?? [], wayBackMs(record)), 'high-delay-probes': shareHigh(rttsMs) };
  },
};
