/** Series link-stops.jsonl: times at which the bottleneck sent nothing although packets waited, from the queue log. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { LinkStop } from '../../../shaper/queue-log/stops.ts';
import { hop, ms, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';
import type { OfDirection, OfHop } from '../trial-file.ts';

export const linkStopSeries = new Series(
  {
    id: 'link-stops',
    of: 'trial',
    title: 'Times at which the bottleneck stood still although packets waited, from the log of every packet',
    pace: 'each stop of more than 1 ms in the window',
  },
  schemaOf<LinkStop & OfDirection & OfHop>()(
    z.object({
      timeMs: time('from when the bottleneck stood still'),
      lengthMs: ms('for how long, beyond the own time of the packet that it sent next'),
      direction: word(['up'], 'up: the bottleneck from the clients; missing at that towards them').exactOptional(),
      hop: hop(),
    }),
  ),
);

export type LinkStopRecord = RecordOf<typeof linkStopSeries>;
