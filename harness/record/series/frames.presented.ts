/** Series frames.presented.jsonl: frames that the browser presented (requestVideoFrameCallback). */
import type { PresentedFrame } from '../../../client/wire.ts';
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { count, frames, ms, pixels, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const presentedSeries = new Series(
  {
    id: 'frames.presented',
    of: 'application',
    title: 'Frames that the browser presented (requestVideoFrameCallback)',
    pace: 'each frame',
  },
  schemaOf<PresentedFrame>()(
    z.object({
      callbackMs: time('when the page was called back for the frame'),
      presentationMs: time('when the frame was handed to the compositor'),
      expectedDisplayMs: time(
        "when the browser expected it to be visible, by the clock of its display; Chromium's is most often a few ms " +
          'before presentationMs, so it is no end of rendering',
      ),
      presentedFrames: frames('handed to the compositor so far, this one included; the callback may miss some'),
      receiveMs: time('when its last packet arrived').nullable(),
      rtpTimestamp: count('RTP timestamp (90 kHz): joins it to frames.sent').nullable(),
      captureTimeMs: time(
        "browser's estimate of when it was captured (captureTime), from the sender's reports; not there if the browser " +
          'tells none, and in older records',
      ).exactOptional(),
      processingMs: ms('decoding time').nullable(),
      width: pixels('width of the frame'),
      height: pixels('height of the frame'),
    }),
  ),
);

export type PresentedFrameRecord = RecordOf<typeof presentedSeries>;
