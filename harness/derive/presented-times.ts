/**
 * When pictures were presented in a trial, with what is known of callbacks that missed some.
 *
 * Callbacks run on the page's main thread. While that is punctual they come with every new picture, so pictures that one missed were
 * shown shortly before it. While it is held up pictures are shown without it - unless the whole browser stood still, which also sends no
 * feedback then. So an outage, or a browser that is stopped, is a gap even where one callback counts all the pictures that end it.
 */
import type { PageRecord } from '../record/series.ts';
import type { StreamRecord } from '../record/trial-record.ts';
import { onceFor } from './once.ts';
import { presentationTimes } from './presentation.ts';

/** Shorter times between callbacks can hide nothing that counts, ms. */
const longMs = 150;
/** A callback of a punctual page comes at most so long after the pictures that it missed, ms. */
const lateMs = 100;
/** A browser that is silent for more than this share of the time stood still: feedback comes every 50 to 250 ms else. */
const silentShare = 0.75;

/** Presentation times of all pictures, ms, ascending. Computed once for a record. */
export const presentedTimes = onceFor(async (record: StreamRecord): Promise<number[]> => {
  const [frames, page] = await Promise.all([record.presentedFrames(), record.page()]);
  const missedLong = frames.some((frame, i) => i > 0 && frame.presentedFrames > frames[i - 1]!.presentedFrames + 1 && frame.presentationMs - frames[i - 1]!.presentationMs > longMs);
  if (!missedLong || page.length === 0) return presentationTimes(frames);
  const feedbacks = Float64Array.from(new Set((await record.packetTable()).feedbackMs.filter(timeMs => !Number.isNaN(timeMs)))).sort();
  return presentationTimes(frames, (fromMs, toMs) => openMs(fromMs, toMs, page, feedbacks));
});

/** In how much of a time, from its end, pictures can have been shown that no callback told of, ms. */
export function openMs(fromMs: number, toMs: number, page: readonly PageRecord[], feedbacks: Float64Array): number {
  const wholeMs = toMs - fromMs;
  if (wholeMs <= longMs) return wholeMs;
  // a record tells of the time since the one before it
  const told = page.filter(({ timeMs }, i) => timeMs >= fromMs && (page[i - 1]?.timeMs ?? -Infinity) < toMs);
  if (told.length === 0) return wholeMs;
  if (feedbacks.length > 0 && longestSilence(fromMs, toMs, feedbacks) > silentShare * wholeMs) return lateMs;
  return Math.max(lateMs, ...told.map(({ mainThreadDelayMaxMs }) => mainThreadDelayMaxMs));
}

function longestSilence(fromMs: number, toMs: number, feedbacks: Float64Array): number {
  let [before, longest] = [fromMs, 0];
  for (const timeMs of feedbacks) {
    if (timeMs <= fromMs) continue;
    const end = Math.min(timeMs, toMs);
    longest = Math.max(longest, end - before);
    before = end;
    if (timeMs >= toMs) return longest;
  }
  return Math.max(longest, toMs - before);
}
