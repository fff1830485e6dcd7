/** Series queue.media.jsonl: fate of each packet of the media at the bottleneck, from the queue log. */

import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { dropReasons } from '../../../core/vocabulary/drop-reason.ts';
import { ecnFields } from '../../../core/vocabulary/ecn.ts';
import type { MediaQueueLine } from '../../../shaper/queue-log/media-fates.ts';
import { count, flag, hop, ms, packets, time, word } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';
import type { OfHop } from '../trial-file.ts';

const packet = z.object({
  timeMs: time('when the packet came to the queue'),
  payloadType: count(
    'RTP payload type: media, retransmission or error correction, whose sequence numbers are their own',
  ),
  sequence: count('RTP sequence number'),
  queuePackets: packets('of all senders that were in the queue when it came'),
  sojournMs: ms('time in the queue; null where it never left').nullable(),
  ecn: word(ecnFields, 'ECN field when it came: not-ect, ect1, ect0 or ce; not there in older records').exactOptional(),
  marked: flag('whether the queue set the ECN field to ce; not there in older records').exactOptional(),
  dropReason: word(dropReasons, 'overflow, random-loss, aqm or other; null where it left').nullable(),
  hop: hop(),
});

function packetsOf({
  timeMs,
  payloadTypes,
  sequences,
  offeredMs,
  sojournMs,
  queuePackets,
  dropped,
  ecn,
  marked,
  hop: place,
}: MediaQueueLine & OfHop): z.output<typeof packet>[] {
  const reasons = new Map(dropped.map(({ index, reason }) => [index, reason]));
  const isMarked = new Set(marked);
  return sequences.map((sequence, i) => ({
    timeMs: timeMs + offeredMs[i]!,
    payloadType: payloadTypes[i]!,
    sequence,
    queuePackets: queuePackets[i]!,
    sojournMs: sojournMs[i]!,
    ...(ecn === undefined ? {} : { ecn: ecnFields[ecn[i]!]!, marked: isMarked.has(i) }),
    dropReason: reasons.get(i) ?? null,
    ...(place === undefined ? {} : { hop: place }),
  }));
}

/** Packets of the media at the bottleneck during the whole trial. A line holds up to 1000 packets as columns. */
export const mediaQueueSeries = new Series(
  {
    id: 'queue.media',
    of: 'application',
    title: "What became of each packet of the application's media at the bottleneck",
    pace: 'each packet',
  },
  schemaOf<MediaQueueLine & OfHop>()(
    z.object({
      timeMs: z.number(),
      payloadTypes: z.array(z.number()),
      sequences: z.array(z.number()),
      offeredMs: z.array(z.number()),
      sojournMs: z.array(z.number().nullable()),
      queuePackets: z.array(z.number()),
      dropped: z.array(z.object({ index: z.number(), reason: z.enum(dropReasons) })),
      ecn: z.array(z.int().min(0).max(3)).exactOptional(),
      marked: z.array(z.number()).exactOptional(),
      hop: z.int().min(2).exactOptional(),
    }),
  ),
  { row: packet, rows: lines => lines.flatMap(packetsOf) },
);

export type MediaQueueRecord = RecordOf<typeof mediaQueueSeries>;
