/**
 * Series queue-delay.jsonl: queue delay and drops of each application and protocol at the bottleneck, from the queue
 * log.
 */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { QueueBin } from '../../../shaper/queue-log/summary.ts';
import { bytes, count, hop, ms, packets, text, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';
import type { ByApplication, OfHop } from '../trial-file.ts';

export const queueDelaySeries = new Series(
  {
    id: 'queue-delay',
    of: 'trial',
    title: 'What each application and protocol met at the bottleneck, from the log of every packet',
    pace: '100 ms of the window',
  },
  schemaOf<Omit<QueueBin, 'party'> & ByApplication & OfHop>()(
    z.object({
      timeMs: time('middle of the stretch'),
      application: text('whose packets; null where they are of none').nullable(),
      direction: word(['up'], 'up: at the bottleneck from the clients; missing at that towards them').exactOptional(),
      hop: hop(),
      protocol: count('IP protocol: 1 ICMP, 6 TCP, 17 UDP'),
      sentPackets: packets('that left in the stretch'),
      sentBytes: bytes('that left in the stretch'),
      markedPackets: packets('that the AQM marked'),
      droppedPackets: z.object({
        overflow: packets('dropped because the queue was full'),
        'random-loss': packets('lost at random'),
        aqm: packets('dropped by the AQM'),
        other: packets('dropped for another reason'),
      }),
      delayMedianMs: ms('time in the queue, median of what left').nullable(),
      delayMaxMs: ms('time in the queue, longest of what left').nullable(),
    }),
  ),
);

export type QueueDelayRecord = RecordOf<typeof queueDelaySeries>;
