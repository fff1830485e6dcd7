/** Time from the capture of each frame to its presentation. */

import { presentedSeries } from '../../record/series/frames.presented.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/**
 * Returns the latencies of the frames that were presented in the window, by presentation time. Leaves out frames that
 * cannot be matched with a sent frame.
 */
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
