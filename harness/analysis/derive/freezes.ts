/**
 * Freezes as W3C defines them (webrtc-stats, freezeCount). The time between two presented frames is a freeze if it is
 * at least max(3 d, d + 150 ms), where d is the mean of the last 30 such times.
 *
 * Chromium counts differently (libwebrtc 2026-08 video/video_quality_observer2.cc): its mean includes the judged time
 * and is rounded down to whole ms, a freeze counts only when the next frame has come, and a pause (more than 5 s) is no
 * freeze. Chromium measures between decoding times; this code uses presentation times instead.
 */
import { growth } from '../../../core/stats/counters.ts';
import { mean } from '../../../core/stats/quantile.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';
import { presentedTimes } from './presented-times.ts';

/** Number of frame durations that enter the mean. */
const meanOver = 30;
/** Smallest number of frame durations from which a mean is computed. */
const fewest = 5;
const longerByMs = 150;
const longerByFactor = 3;
/** Longest freeze that is not a pause, ms (webrtc-stats, pauseCount). */
export const pauseMs = 5000;

export type Freeze = {
  lengthMs: number;
  /** Start and end of the part of the freeze inside the window, Unix ms. */
  startMs: number;
  endMs: number;
  /** Reason why Chromium does not count the freeze; null if Chromium counts it. */
  uncounted: 'under way' | 'pause' | 'own mean' | null;
};

const isFreeze = (lengthMs: number, meanMs: number) =>
  lengthMs >= Math.max(longerByFactor * meanMs, meanMs + longerByMs);

/**
 * Returns the freezes that end inside the window, or that are in progress at the end of the window. A time between
 * frames in which the sender paused is none, and is left out of the mean.
 */
export function w3cFreezes(
  times: readonly number[],
  { startMs, endMs }: Window,
  pauses: readonly Window[] = [],
): Freeze[] {
  const freezes: Freeze[] = [];
  const recent: number[] = [];
  const judge = (from: number, to: number, ended: boolean) => {
    if (pauses.some(pause => pause.startMs < to && pause.endMs > from)) return;
    const lengthMs = to - from;
    if (recent.length >= fewest && to > startMs && isFreeze(lengthMs, mean(recent)!)) {
      const withItself = Math.floor(mean([...recent.slice(1 - meanOver), lengthMs])!);
      const uncounted = !ended
        ? 'under way'
        : lengthMs > pauseMs
          ? 'pause'
          : isFreeze(lengthMs, withItself)
            ? null
            : 'own mean';
      freezes.push({ lengthMs, startMs: Math.max(from, startMs), endMs: to, uncounted });
    }
    recent.push(lengthMs);
    if (recent.length > meanOver) recent.shift();
  };
  let before: number | undefined;
  for (const time of times) {
    if (time > endMs) break;
    if (before !== undefined) judge(before, time, true);
    before = time;
  }
  if (before !== undefined && before < endMs) judge(before, endMs, false);
  return freezes;
}

/** Freezes of a trial; undefined if no frame was presented. */
export async function freezesOf(record: TrialRecord): Promise<Freeze[] | undefined> {
  const times = await presentedTimes(record);
  return times.length === 0 ? undefined : w3cFreezes(times, record.window, record.pauses);
}

/** Returns the growth over the window of Chromium's counter of freezes or pauses; null if the counter was not read. */
export async function chromiumCount(record: TrialRecord, name: 'freezeCount' | 'pauseCount'): Promise<number | null> {
  const count = growth(await inboundCounter(record, name), record.window);
  return count === null ? null : Math.round(count);
}
