/** Stalls of a trial: times without a new frame longer than the limit of its stream (core/vocabulary/stalls.ts). */
import type { StreamRecord } from '../../record/trial-record.ts';
import { boundedGaps, type Gap } from './presentation.ts';
import { presentedFrames } from './presented-times.ts';

export async function stallsOf(record: StreamRecord, thresholdMs = record.gapLimits.stallMs): Promise<Gap[]> {
  return boundedGaps(await presentedFrames(record), record.window).filter(gap => gap.lengthMs > thresholdMs);
}
