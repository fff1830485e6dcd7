/**
 * Times at which frames were presented, from the browser's frame callbacks.
 *
 * Some frames have no callback, but `presentedFrames` counts every frame. unseen.ts gives the rule for the times of
 * frames without a callback.
 */

import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { Window } from '../../record/trial-record.ts';
import { shownBetween } from './unseen.ts';

/**
 * Function that returns the longest time for which a page was held up between two moments, ms; undefined if unknown.
 */
export type HeldUp = (fromMs: number, toMs: number) => number | undefined;

/** Presentation time of a frame, ms, with lower and upper bound of the time without a new frame before it. */
export type Presentation = { timeMs: number; leastMs: number; mostMs: number };

/** Returns all presentations in ascending order of time. Without `heldUp`, the hold-ups of the page are unknown. */
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
        // bounds are needed only for the first gap; the others are single display periods
        const lengthMs = timeMs - all.at(-1)!.timeMs;
        all.push({ timeMs, ...(i === 0 ? { leastMs, mostMs } : { leastMs: lengthMs, mostMs: lengthMs }) });
      }
    } else continue;
    before = frame;
  }
  return all;
}

/** Precision of a Unix time, ms. */
const roundingMs = 0.001;

/** Time without a new frame. */
export type Gap = {
  /** Length of the whole gap, ms, including a part outside the window. */
  lengthMs: number;
  /** Bounds of the length. Set if frames at the end of the gap had no callback. */
  bounds?: { leastMs: number; mostMs: number };
  /** Start and end of the part of the gap inside the window, Unix ms. */
  startMs: number;
  endMs: number;
};

/**
 * Returns the times between frames that overlap the window. A gap that is in progress at the end of the window ends
 * there, so that later events, such as the end of the trial, have no effect.
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

/**
 * Returns the parts of gaps that pauses of the sender do not explain. Of a gap with a pause in it, the part after the
 * pause remains, in which the viewer waits for the first frame.
 */
export function gapsWithoutPauses<G extends Window>(
  gaps: readonly G[],
  pauses: readonly Window[],
): (G | (Window & { lengthMs: number }))[] {
  return gaps.flatMap<G | (Window & { lengthMs: number })>(gap => {
    const pause = pauses.findLast(({ startMs, endMs }) => startMs < gap.endMs && endMs > gap.startMs);
    if (pause === undefined) return [gap];
    if (pause.endMs >= gap.endMs) return [];
    return [{ lengthMs: gap.endMs - pause.endMs, startMs: pause.endMs, endMs: gap.endMs }];
  });
}

/** Returns the length of the longest gap, ms, and the lower bound of this length; 0 without gaps. */
export function longestGap(gaps: readonly Gap[]): { lengthMs: number; leastMs: number } {
  return gaps.reduce(
    (longest, { lengthMs, bounds }) =>
      lengthMs > longest.lengthMs ? { lengthMs, leastMs: bounds?.leastMs ?? lengthMs } : longest,
    { lengthMs: 0, leastMs: 0 },
  );
}

/** Returns the gaps of `gapsInWindow`. A gap has bounds if frames at its end had no callback. */
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
