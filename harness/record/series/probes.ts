/** Series probes.jsonl: probes of the congestion control, with their results. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { ProbeRecord } from '../../../server/session/probe-log.ts';
import { bps, bytes, count, packets, time } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

export const probeSeries = new Series(
  {
    id: 'probes',
    of: 'application',
    title: 'Probes of the congestion control and what they found',
    pace: 'each probe',
    serverTimes: ['timeMs'],
  },
  schemaOf<ProbeRecord>()(
    z.object({
      timeMs: time('when the controller asked for it'),
      probe: count('number of the probe cluster'),
      rateBps: bps('rate at which it was to be sent'),
      minPackets: packets('that it was to have at least'),
      minBytes: bytes('that it was to have at least'),
      sentPackets: packets('sent for it; fewer than it was to have where nothing was there to send'),
      sentBytes: bytes('sent for it, from the IP header on'),
      receivedPackets: packets('of those that arrived'),
      receivedBytes: bytes('of those that arrived'),
      resultBps: bps(
        'rate that the controller took from it, the last time where it did so several times; null where it took none',
      ).nullable(),
    }),
  ),
);
