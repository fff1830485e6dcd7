/** Series frames.sent.jsonl: frames that the media server sent or skipped. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import type { SentFrameRecord, SkippedFrameRecord } from '../../../server/session/recorder.ts';
import { bps, bytes, count, flag, frames, packets, time, word } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

const frame = count('number of the frame in the session');
const captureMs = time('when it was taken');

const sent = schemaOf<SentFrameRecord>()(
  z.object({
    frame,
    rtpTimestamp: count('RTP timestamp (90 kHz)'),
    clipFrame: count('number of the frame in the clip'),
    captureMs,
    encodedMs: time('when the encoder was done'),
    firstPacketMs: time('when its first packet left'),
    lastPacketMs: time('when its last packet left'),
    bytes: bytes('encoded size'),
    packets: packets('that it was cut into'),
    key: flag('whether it is a key frame'),
    encoderBps: bps('rate that the encoder was given'),
  }),
);

const skipped = schemaOf<SkippedFrameRecord>()(
  z.object({
    frame,
    captureMs,
    skipped: word(
      ['late', 'pacer', 'ladder', 'pushback', 'paused'],
      'why it, and how many after it, were not encoded: "late", "pacer", "ladder", "pushback" or "paused"; absent for ' +
        'frames that were encoded',
    ),
    count: frames('left out'),
  }),
);

export const sentFrameSeries = new Series(
  {
    id: 'frames.sent',
    of: 'application',
    title: 'Frames that the media server sent or skipped',
    pace: 'each frame',
    serverTimes: ['captureMs', 'encodedMs', 'firstPacketMs', 'lastPacketMs'],
  },
  z.union([sent, skipped]),
  { rows: lines => lines.toSorted((a, b) => a.captureMs - b.captureMs) },
);

export type SentFrameLine = z.output<typeof sent>;
export type SkippedFrameLine = z.output<typeof skipped>;
