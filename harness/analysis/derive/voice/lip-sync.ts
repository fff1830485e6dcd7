/** How much later the voice was heard than the picture that was captured with it was seen. */
import { presentedSeries } from '../../../record/series/frames.presented.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { voiceOf } from './voice.ts';

/** Longest time between a chirp and the capture of the nearest frame that was presented, ms. */
const nearMs = 100;

/** Lip-sync error at a chirp, ms, and the time at which the chirp was heard, Unix ms. */
type LipSync = { heardMs: number; errorMs: number };

/**
 * Returns the lip-sync error at each chirp of the window: delay of the chirp minus delay of the picture of the same
 * moment. Positive: the voice came later. The delay of the picture is interpolated between the two frames around.
 */
export async function lipSync(record: TrialRecord): Promise<LipSync[]> {
  const captured = new Map((await record.sentFrames()).map(frame => [frame.rtpTimestamp, frame.captureMs]));
  const frames = (await record.read(presentedSeries))
    .flatMap(({ presentationMs, rtpTimestamp }) => {
      const captureMs = rtpTimestamp === null ? undefined : captured.get(rtpTimestamp);
      return captureMs === undefined ? [] : [{ captureMs, delayMs: presentationMs - captureMs }];
    })
    .sort((a, b) => a.captureMs - b.captureMs);
  let after = 0;
  return ((await voiceOf(record))?.chirps ?? []).flatMap(({ spokenMs, delayMs }) => {
    while (after < frames.length && frames[after]!.captureMs < spokenMs) after++;
    const [before, next] = [frames[after - 1], frames[after]];
    if (before === undefined || next === undefined) return [];
    const [sinceMs, gapMs] = [spokenMs - before.captureMs, next.captureMs - before.captureMs];
    if (Math.min(sinceMs, gapMs - sinceMs) > nearMs) return [];
    const pictureMs = before.delayMs + ((next.delayMs - before.delayMs) * sinceMs) / Math.max(1e-3, gapMs);
    return [{ heardMs: spokenMs + delayMs, errorMs: delayMs - pictureMs }];
  });
}
