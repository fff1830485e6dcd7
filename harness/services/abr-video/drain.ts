/** Schema of the data that the page of the adaptive video reports. */
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
/** Positions and buffer lengths, s. The video has half an hour; the limit is a day. */
const seconds = z.number().min(0).max(86_400);

/**
 * Duration of a fetch or of its wait for the first byte, ms. It may be negative: the browser takes begin and end in two
 * processes, whose clocks it aligns.
 */
const fetchMs = z.number().min(-1000).max(86_400e3);

/**
 * Maximum number of segments, and of stalls, in one reading: half an hour with ten per second. A page is not read while
 * other services of the trial begin.
 */
const mostEntries = 18_000;
/** Maximum number of protocols that a browser may have used. */
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
    /** Names of the protocols in TLS (ALPN); an empty text stands for an unknown one. */
    protocols: list(z.string().max(255), mostProtocols),
    failure: reason.nullable(),
    ...vitals,
  }),
);
