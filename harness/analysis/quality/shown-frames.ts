/**
 * Finds the frame on the viewer's screen in each period of the frame rate, and the frame that should have been there.
 *
 * Each presented frame covers the periods for which it stayed on the screen, rounded to whole periods, and at least one
 * period. In the first of these periods it is the right frame. In the following periods it replaces the frames that
 * should have come. So a frame that stays too long reduces quality, whether the network lost the next frames or delayed
 * them. A steady delay, or a shift by a few milliseconds, does not reduce quality.
 */

import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { Window } from '../../record/trial-record.ts';
import type { HeldUp } from '../derive/presentation.ts';
import { shownBetween } from '../derive/unseen.ts';

export type ShownFrame = {
  /** Start of the period, Unix ms. */
  timeMs: number;
  /**
   * Number of the frame on the screen. The sender numbers frames by periods, including the periods of skipped frames.
   */
  shownFrame: number;
  /** Number of the frame that should have been on the screen. */
  wantedFrame: number;
};

type Presentation = { timeMs: number; frame: number };

/**
 * Returns the presentations in chronological order, with the sender's frame numbers. Frames without a callback are
 * taken, evenly spread, from the frames sent between the two frames with callbacks around them;
 * analysis/derive/unseen.ts sets their times. `frameOf`: the sender's frame number by RTP timestamp. `sent`: numbers of
 * all frames sent, ascending.
 */
export function presentations(
  presented: readonly PresentedFrameRecord[],
  frameOf: ReadonlyMap<number, number>,
  sent: readonly number[],
  heldUp: HeldUp = () => undefined,
): Presentation[] {
  const all: Presentation[] = [];
  let before: { timeMs: number; frame: number; count: number } | undefined;
  for (const { presentationMs, rtpTimestamp, presentedFrames } of presented) {
    const frame = rtpTimestamp === null ? undefined : frameOf.get(rtpTimestamp);
    if (frame === undefined || (before !== undefined && (frame <= before.frame || presentationMs <= before.timeMs)))
      continue;
    if (before !== undefined) {
      const { timeMs, frame: last } = before;
      const between = sent.filter(number => number > last && number < frame);
      const missed = Math.min(between.length, Math.max(0, presentedFrames - before.count - 1));
      const { timesMs } = shownBetween(
        { fromMs: timeMs, toMs: presentationMs, shown: missed + 1 },
        heldUp(timeMs, presentationMs),
      );
      for (let k = 1; k <= missed; k++)
        all.push({ timeMs: timesMs[k - 1]!, frame: between[Math.floor(((k - 0.5) * between.length) / missed)]! });
    }
    all.push({ timeMs: presentationMs, frame });
    before = { timeMs: presentationMs, frame, count: presentedFrames };
  }
  return all;
}

/**
 * Returns the frames that were shown and wanted in each period of the window. `all`: presentations in chronological
 * order.
 */
export function shownFrames(all: readonly Presentation[], { startMs, endMs }: Window, frameRate: number): ShownFrame[] {
  const periodMs = 1000 / frameRate;
  return all.flatMap(({ timeMs, frame }, i) => {
    if (timeMs >= endMs) return [];
    const until = Math.min(all[i + 1]?.timeMs ?? endMs, endMs);
    const periods = Math.max(1, Math.round((until - timeMs) / periodMs));
    return Array.from({ length: periods }, (_, k) => ({
      timeMs: timeMs + k * periodMs,
      shownFrame: frame,
      wantedFrame: frame + k,
    })).filter(({ timeMs }) => timeMs >= startMs);
  });
}
