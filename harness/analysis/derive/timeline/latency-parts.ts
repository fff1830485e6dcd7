/** Latency of a trial's frames, part by part. */

import { median } from '../../../../core/stats/quantile.ts';
import { frameParts } from '../../../../core/vocabulary/frame-parts.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { type FrameParts, splitLatency } from './frame-parts.ts';
import { timelineOf } from './timeline.ts';

type LatencyParts = {
  /** Median of each part over the frames, ms. They need not add up to the median of the whole. */
  medianMs: FrameParts;
  frames: number;
};

/** Parts of the frames presented in the window; undefined if no frame can be joined. */
export async function latencyParts(record: TrialRecord): Promise<LatencyParts | undefined> {
  const { startMs, endMs } = record.window;
  const { frames } = await timelineOf(record);
  const shown = frames.filter(
    ({ presentedMs, captureMs }) =>
      presentedMs !== null && presentedMs > startMs && presentedMs <= endMs && presentedMs >= captureMs,
  );
  if (shown.length === 0) return undefined;
  const split = shown.map(frame => splitLatency(frame, frame.presentedMs!));
  const medianMs = Object.fromEntries(
    frameParts.map(part => [part, median(split.map(parts => parts[part]))!]),
  ) as FrameParts;
  return { medianMs, frames: shown.length };
}
