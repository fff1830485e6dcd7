/**
 * Times at which frames were presented, from the browser's frame callbacks.
 *
 * A callback may miss frames; `presentedFrames` counts them all. Where the missed ones are placed is told in unseen.ts.
 */

import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { Window } from '../../record/trial-record.ts';
import { shownBetween } from './unseen.ts';

/** What a page was held up at most between two moments, ms; undefined where nothing tells. */
export type HeldUp = (fromMs: number, toMs: number) => number | undefined;

/** A frame's presentation, ms, and how long the time without one before it can have been: at least and at most. */
export type Presentation = { timeMs: number; leastMs: number; mostMs: number };

/** All frames, ascending. Without `heldUp` nothing tells of the page. */
export function presentationsOf(
  frames: readonly PresentedFrameRecord[],
  heldUp: HeldUp = () => undefined,
): Presentation[] {
  const all: Presentation[] = [];
  let before: PresentedFrameRecord | undefined;
  for (const frame of frames) {
    const toMs = frame.presentationMs;
    if (before === undefined) all.push({ timeMs: toMs, leastMs: 0, mostMs: Infinity });
    else if (toMs > before.presentationMs) {
      const fromMs = before.presentationMs;
      const shown = Math.max(1, frame.presentedFrames - before.presentedFrames);
      const { timesMs, leastMs, mostMs } = shownBetween({ fromMs, toMs, shown }, heldUp(fromMs, toMs));
      for (const [i, timeMs] of timesMs.entries()) {
        // the first gap is the longest; those behind it are the display's periods
        const lengthMs = timeMs - all.at(-1)!.timeMs;
        all.push({ timeMs, ...(i === 0 ? { leastMs, mostMs } : { leastMs: lengthMs, mostMs: lengthMs }) });
      }
    } else continue;
    before = frame;
  }
  return all;
}

/** Unix times in ms are not more exact than this. */
const roundingMs = 0.001;

/** A time without a new frame. */
export type Gap = {
  /** The whole of it, also where it reaches beyond the window. */
  lengthMs: number;
  /** What it was at least and at most, where a callback missed frames at its end. */
  bounds?: { leastMs: number; mostMs: number };
  /** The part inside the window. */
  startMs: number;
  endMs: number;
};

/**
 * The times between frames that touch the window. The one under way at the window's end counts as far as the
 * window goes, with the length it had at that moment: what happens later, above all the teardown, has no part in it.
 */
export function gapsInWindow(times: readonly number[], { startMs, endMs }: Window): Gap[] {
  const gaps: Gap[] = [];
  let before = -Infinity;
  for (const time of times) {
    if (time > endMs) break;
    if (time > startMs && before > -Infinity)
      gaps.push({ lengthMs: time - before, startMs: Math.max(before, startMs), endMs: time });
    before = time;
  }
  if (before > -Infinity && before < endMs)
    gaps.push({ lengthMs: endMs - before, startMs: Math.max(before, startMs), endMs });
  return gaps;
}

/** The longest of these, ms, and the shortest that it can have been; 0 of none. */
export function longestGap(gaps: readonly Gap[]): { lengthMs: number; leastMs: number } {
  return gaps.reduce(
    (longest, { lengthMs, bounds }) =>
      lengthMs > longest.lengthMs ? { lengthMs, leastMs: bounds?.leastMs ?? lengthMs } : longest,
    { lengthMs: 0, leastMs: 0 },
  );
}

/** The same as `gapsInWindow` with the bounds of those at whose end a callback missed frames. */
export function boundedGaps(presentations: readonly Presentation[], window: Window): Gap[] {
  const uncertain = new Map(
    presentations
      .filter(({ leastMs, mostMs }) => mostMs - leastMs > roundingMs)
      .map(({ timeMs, leastMs, mostMs }) => [timeMs, { leastMs, mostMs }]),
  );
  return gapsInWindow(
    presentations.map(({ timeMs }) => timeMs),
    window,
  ).map(gap => {
    const bounds = uncertain.get(gap.endMs);
    return bounds === undefined || !Number.isFinite(bounds.mostMs) ? gap : { ...gap, bounds };
  });
}
