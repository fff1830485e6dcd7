/**
 * Presentation times of the frames of a trial, and the uncertainty of frames without a callback.
 *
 * Once a second the page reports the longest time for which it was held up. During a hold-up of the page, frames are
 * shown without callbacks (unseen.ts). During a hold-up of the whole browser, no frames are shown and no feedback is
 * sent. An outage or a stopped browser therefore counts as a gap, even if a single callback counts all the frames after
 * it.
 */
import { binCount } from '../../../core/stats/binned.ts';
import { presentedSeries } from '../../record/series/frames.presented.ts';
import { type PageRecord, pageSeries } from '../../record/series/page.ts';
import type { SeriesFolder } from '../../record/series-folder.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { onceFor } from './once.ts';
import { type HeldUp, type Presentation, presentationsOf } from './presentation.ts';
import { longMs } from './unseen.ts';

/**
 * The whole browser was held up during a time of more than `fromMs` if the browser sent no feedback for more than
 * `share` of that time. A browser that runs sends feedback every 50 to 250 ms.
 */
const silence = { share: 0.75, fromMs: 150 } as const;

/** Returns, for a record, the function that gives the longest hold-up of the page between two moments. */
export const heldUpOf = onceFor(async (record: SeriesFolder): Promise<HeldUp> => {
  const [frames, page] = await Promise.all([record.read(presentedSeries), record.read(pageSeries)]);
  const missedLong = frames.some(
    (frame, i) =>
      i > 0 &&
      frame.presentedFrames > frames[i - 1]!.presentedFrames + 1 &&
      frame.presentationMs - frames[i - 1]!.presentationMs > longMs,
  );
  if (!missedLong || page.length === 0) return () => undefined;
  const feedbacks = Float64Array.from(
    new Set((await record.packetTable()).feedbackMs.filter(timeMs => !Number.isNaN(timeMs))),
  ).sort();
  return (fromMs, toMs) => heldUpMs(fromMs, toMs, page, feedbacks);
});

/** Returns all presentations in chronological order, computed once for each record. */
export const presentedFrames = onceFor(
  async (record: SeriesFolder): Promise<Presentation[]> =>
    presentationsOf(await record.read(presentedSeries), await heldUpOf(record)),
);

/** Returns the presentation times of all frames, ms, ascending. */
export async function presentedTimes(record: SeriesFolder): Promise<number[]> {
  return (await presentedFrames(record)).map(({ timeMs }) => timeMs);
}

/** Returns the rate of presented frames in each bin, frames per second. Default of `window`: the measured window. */
export async function presentedPerBin(
  record: TrialRecord,
  binMs: number,
  window: Window = record.window,
): Promise<number[]> {
  const counts = new Array<number>(binCount(window, binMs)).fill(0);
  for (const time of await presentedTimes(record)) {
    const bin = Math.floor((time - window.startMs) / binMs);
    if (bin >= 0 && bin < counts.length) counts[bin]!++;
  }
  return counts.map(count => (count * 1000) / binMs);
}

/**
 * Returns the longest time for which the page was held up between two moments while frames could be shown, ms.
 * Undefined if the page does not report hold-ups.
 */
export function heldUpMs(
  fromMs: number,
  toMs: number,
  page: readonly PageRecord[],
  feedbacks: Float64Array,
): number | undefined {
  // a record of the page covers the time since the previous record
  const told = page.filter(({ timeMs }, i) => timeMs >= fromMs && (page[i - 1]?.timeMs ?? -Infinity) < toMs);
  if (told.length === 0) return undefined;
  const wholeMs = toMs - fromMs;
  if (
    feedbacks.length > 0 &&
    wholeMs > silence.fromMs &&
    longestSilence(fromMs, toMs, feedbacks) > silence.share * wholeMs
  )
    return 0;
  return Math.max(...told.map(({ mainThreadDelayMaxMs }) => mainThreadDelayMaxMs));
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
