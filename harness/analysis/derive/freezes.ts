/**
 * Freezes as W3C defines them (webrtc-stats, freezeCount): the time between two presented frames is at least max(3 d, d
 * + 150 ms), d the mean of the last 30 such times. And as Chromium counts them, which differs: its mean holds the time
 * that is judged and is rounded down to whole ms, a freeze counts once the next frame is there, and a longer pause is
 * none (libwebrtc 2026-08 video/video_quality_observer2.cc). It also takes the moment of decoding; the presentation
 * times here stand for it.
 */
import { growth } from '../../../core/stats/counters.ts';
import { mean } from '../../../core/stats/quantile.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';
import { presentedTimes } from './presented-times.ts';

/** Frame durations in the mean. */
const meanOver = 30;
/** Fewer durations than this make no mean yet. */
const fewest = 5;
const longerByMs = 150;
const longerByFactor = 3;
/** A longer time without a frame is a pause (webrtc-stats, pauseCount). */
export const pauseMs = 5000;

export type Freeze = {
  lengthMs: number;
  /** The part inside the window. */
  startMs: number;
  endMs: number;
  /** Why Chromium does not count it, by its rule; null where it does. */
  uncounted: 'under way' | 'pause' | 'own mean' | null;
};

const isFreeze = (lengthMs: number, meanMs: number) =>
  lengthMs >= Math.max(longerByFactor * meanMs, meanMs + longerByMs);

/** Freezes that end inside the window, or are under way at its end. */
export function w3cFreezes(times: readonly number[], { startMs, endMs }: Window): Freeze[] {
  const freezes: Freeze[] = [];
  const recent: number[] = [];
  const judge = (from: number, to: number, ended: boolean) => {
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

/** Of a trial; undefined where no frame was presented. */
export async function freezesOf(record: TrialRecord): Promise<Freeze[] | undefined> {
  const times = await presentedTimes(record);
  return times.length === 0 ? undefined : w3cFreezes(times, record.window);
}

/** Growth of one of Chromium's counters of freezes and pauses over the window; null where it was not read. */
export async function chromiumCount(record: TrialRecord, name: 'freezeCount' | 'pauseCount'): Promise<number | null> {
  const count = growth(await inboundCounter(record, name), record.window);
  return count === null ? null : Math.round(count);
}
