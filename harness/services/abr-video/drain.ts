/** Schema of what the page of adaptive video tells. */
import type { VideoDrain, VideoSegment, VideoStall } from '../../../client/wire.ts';
import { object, z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { byteCount, count, list, reason, spanMs, unixMs, vitals } from '../shared/page-values.ts';
import { rungsBps, segmentCount } from './ladder.ts';

const rung = z
  .number()
  .int()
  .min(0)
  .max(rungsBps.length - 1);
/** Positions and buffers of a video of half an hour: up to a day. */
const seconds = z.number().min(0).max(86_400);

/** The browser takes the two times of a fetch in two processes, and brings their clocks together. */
const fetchMs = z.number().min(-1000).max(86_400e3);

/** A page is not asked while other services of the trial begin: half an hour of ten segments or stalls a second. */
const mostEntries = 18_000;
/** Of a browser that has tried several. */
const mostProtocols = 20;

const segmentSchema = schemaOf<VideoSegment>()(
  object({
    endMs: unixMs,
    number: z
      .number()
      .int()
      .min(0)
      .max(segmentCount - 1),
    rung,
    bytes: byteCount,
    firstByteMs: fetchMs,
    durationMs: fetchMs,
  }),
);

const stallSchema = schemaOf<VideoStall>()(object({ endMs: unixMs, positionS: seconds, durationMs: spanMs }));

export const videoSchema = schemaOf<VideoDrain>()(
  object({
    timeMs: unixMs,
    startupMs: spanMs.nullable(),
    positionS: seconds,
    bufferS: seconds,
    rung: rung.nullable(),
    receivedBytes: byteCount,
    stallCount: count,
    stalledMs: spanMs,
    openStallMs: spanMs,
    presentedFrames: count,
    droppedFrames: count,
    segments: list(segmentSchema, mostEntries),
    stalls: list(stallSchema, mostEntries),
    /** Names of TLS (ALPN), or nothing where it is not known. */
    protocols: list(z.string().max(255), mostProtocols),
    failure: reason.nullable(),
    ...vitals,
  }),
);
