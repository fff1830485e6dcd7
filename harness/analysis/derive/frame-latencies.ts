/** How long each frame took from being taken to being presented. */

import { presentedSeries } from '../../record/series/frames.presented.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Latency of each presented frame of the window that the record can join, by presentation time. */
export async function frameLatencies(record: TrialRecord): Promise<{ timeMs: number; latencyMs: number }[]> {
  const { startMs, endMs } = record.window;
  const captured = new Map((await record.sentFrames()).map(frame => [frame.rtpTimestamp, frame.captureMs]));
  return (await record.read(presentedSeries)).flatMap(({ presentationMs, rtpTimestamp }) => {
    const captureMs = rtpTimestamp === null ? undefined : captured.get(rtpTimestamp);
    return captureMs === undefined || presentationMs <= startMs || presentationMs > endMs
      ? []
      : [{ timeMs: presentationMs, latencyMs: presentationMs - captureMs }];
  });
}
