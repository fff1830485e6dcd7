/** Latency of a trial's frames, split into the parts of their path. */

import { median } from '../../../../core/stats/quantile.ts';
import { frameParts } from '../../../../core/vocabulary/frame-parts.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { type FrameParts, splitLatency } from './frame-parts.ts';
import { timelineOf } from './timeline.ts';

type LatencyParts = {
  /**
   * Median of each part over the frames, ms. The medians of the parts need not add up to the median of the whole
   * latency.
   */
  medianMs: FrameParts;
  frames: number;
};

/**
 * Returns the parts of the latency of frames presented in the window; undefined if no presented frame can be matched
 * with a sent frame.
 */
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
