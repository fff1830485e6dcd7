/** Series queue.jsonl: counters of the bottleneck, once a second. */
import { z } from '../../../core/schema/schema.ts';
import { bytes, hop, packets, time } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

export const queueSeries = new Series(
  { id: 'queue', of: 'trial', title: 'Counters of the bottleneck', pace: 'once a second' },
  z.object({
    timeMs: time('when the counters were read'),
    sentBytes: bytes('that left the bottleneck since the trial began'),
    sentPackets: packets('that left the bottleneck since the trial began'),
    droppedPackets: packets('dropped by the queue since the trial began'),
    backlogBytes: bytes('waiting'),
    backlogPackets: packets('waiting'),
    lostPackets: packets('lost at random since the trial began'),
    hop: hop(),
  }),
);
