/**
 * Checks the values that are read from a page on the Internet. The page is not trusted, so its numbers must be
 * plausible.
 */
import type { AudioReading, ElementReading } from '../../../client/wire.ts';
import { object, z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { checkedAnswer, count, list, pixels, spanMs } from '../shared/page-values.ts';

/** Times of a page load, ms from the start of the navigation; null if the event did not happen. */
export type LoadTimes = { loadMs: number | null; firstContentMs: number | null };

/** Position in a video, s. The clock of a live video may count from 1970. */
const seconds = z.number().min(0).max(1e11);

const elementSchema = schemaOf<ElementReading | null>()(
  object({
    area: z
      .number()
      .min(0)
      .max(65_536 ** 2),
    width: pixels,
    height: pixels,
    positionS: seconds,
    bufferS: seconds,
    stalls: count,
    stalledMs: spanMs,
    openStallMs: spanMs,
    presentedFrames: count,
    droppedFrames: count,
  }).nullable(),
);
/** Number of samples. At most 192 000 per second for a day. */
const samples = z.number().min(0).max(2e10);
/** Maximum number of streams of audio in one reading of a frame. */
const mostStreams = 256;
const audioSchema = schemaOf<AudioReading[]>()(
  list(
    object({
      stream: z.string().max(100),
      packetsReceived: count,
      totalSamplesReceived: samples,
      concealedSamples: samples,
      concealmentEvents: count,
    }),
    mostStreams,
  ),
);
const loadSchema = object({ loadMs: spanMs, firstContentMs: spanMs.nullable() });

/** Checks the reading of a video element. Throws `service-failed`, which makes the trial void. */
export function checkedElement(value: unknown): ElementReading | null {
  return checkedAnswer(elementSchema, value, "the page's video element");
}

/** Checks the readings of a frame's streams of audio. Throws `service-failed`, which makes the trial void. */
export function checkedAudio(value: unknown): AudioReading[] {
  return checkedAnswer(audioSchema, value, "the page's audio");
}

/** Checks the times of a page load. Throws `service-failed`, which makes the trial void. */
export function checkedLoad(value: unknown): LoadTimes {
  return checkedAnswer(loadSchema, value, "the page's times");
}
