/**
 * Times at which frames were presented, from the browser's frame callbacks.
 *
 * A callback may miss frames; `presentedFrames` counts them all. unseen.ts says where the missed ones are placed.
 */

import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { Window } from '../../record/trial-record.ts';
import { shownBetween } from './unseen.ts';

/** Longest time that a page was held up between two moments, ms; undefined if unknown. */
export type HeldUp = (fromMs: number, toMs: number) => number | undefined;

/** Presentation time of a frame, ms, with lower and upper bound of the time without a frame before it. */
export type Presentation = { timeMs: number; leastMs: number; mostMs: number };

/** All presentations, ascending. Without `heldUp` hold-ups of the page are unknown. */
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
        // only the first gap is uncertain; the others are display periods
        const lengthMs = timeMs - all.at(-1)!.timeMs;
        all.push({ timeMs, ...(i === 0 ? { leastMs, mostMs } : { leastMs: lengthMs, mostMs: lengthMs }) });
      }
    } else continue;
    before = frame;
  }
  return all;
}

/** Precision of Unix times in ms. */
const roundingMs = 0.001;

/** A time without a new frame. */
export type Gap = {
  /** Whole length, including a part outside the window. */
  lengthMs: number;
  /** Bounds of the length. Set if a callback missed frames at the end of the gap. */
  bounds?: { leastMs: number; mostMs: number };
  /** Start and end of the part inside the window. */
  startMs: number;
  endMs: number;
};

/**
 * Times between frames that overlap the window. A gap in progress at the end of the window ends there, so that later
 * events, above all the teardown, have no effect.
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

/** Longest gap, ms, and the lower bound of its length; 0 without gaps. */
export function longestGap(gaps: readonly Gap[]): { lengthMs: number; leastMs: number } {
  return gaps.reduce(
    (longest, { lengthMs, bounds }) =>
      lengthMs > longest.lengthMs ? { lengthMs, leastMs: bounds?.leastMs ?? lengthMs } : longest,
    { lengthMs: 0, leastMs: 0 },
  );
}

/** Gaps as by `gapsInWindow`, with bounds for those at whose end a callback missed frames. */
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
