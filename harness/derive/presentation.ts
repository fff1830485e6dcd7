/**
 * Times at which pictures were presented, from the browser's frame callbacks.
 *
 * A callback may miss pictures; `presentedFrames` counts them all. Missed ones are placed evenly between the
 * callbacks around them, or in the last part of that time where it is known that none was shown before: that a picture was shown
 * between two callbacks is known, only its moment is not.
 */
import type { PresentedFrameRecord } from '../record/series.ts';
import type { Window } from '../record/trial-record.ts';

/** Presentation times of all pictures, ms, ascending. `openMs`: how much of the time between two callbacks, from its end, pictures can have been shown in unseen. */
export function presentationTimes(frames: readonly PresentedFrameRecord[], openMs: (fromMs: number, toMs: number) => number = (from, to) => to - from): number[] {
  const times: number[] = [];
  let before: PresentedFrameRecord | undefined;
  for (const frame of frames) {
    if (before !== undefined && frame.presentationMs <= before.presentationMs) continue;
    const shown = before === undefined ? 1 : Math.max(1, frame.presentedFrames - before.presentedFrames);
    const from = shown === 1 ? frame.presentationMs : frame.presentationMs - Math.min(frame.presentationMs - before!.presentationMs, openMs(before!.presentationMs, frame.presentationMs));
    for (let i = 1; i <= shown; i++) times.push(from + (frame.presentationMs - from) * i / shown);
    before = frame;
  }
  return times;
}

/** A time without a new picture. */
export type Gap = {
  /** The whole of it, also where it reaches beyond the window. */
  lengthMs: number;
  /** The part inside the window. */
  startMs: number;
  endMs: number;
};

/**
 * The times between pictures that touch the window. The one under way at the window's end counts as far as the
 * window goes, with the length it had at that moment: what happens later, above all the teardown, has no part in it.
 */
export function gapsInWindow(times: readonly number[], { startMs, endMs }: Window): Gap[] {
  const gaps: Gap[] = [];
  let before = -Infinity;
  for (const time of times) {
    if (time > endMs) break;
    if (time > startMs && before > -Infinity) gaps.push({ lengthMs: time - before, startMs: Math.max(before, startMs), endMs: time });
    before = time;
  }
  if (before > -Infinity && before < endMs) gaps.push({ lengthMs: endMs - before, startMs: Math.max(before, startMs), endMs });
  return gaps;
}
