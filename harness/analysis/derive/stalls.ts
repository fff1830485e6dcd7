/**
 * Stalls of a trial: times without a new frame longer than the limit of its stream (core/vocabulary/stalls.ts). Pauses of
 * the sender are none.
 */
import type { StreamRecord } from '../../record/trial-record.ts';
import { boundedGaps, type Gap, gapsWithoutPauses } from './presentation.ts';
import { presentedFrames } from './presented-times.ts';

export async function stallsOf(record: StreamRecord, thresholdMs = record.gapLimits.stallMs): Promise<Gap[]> {
  const gaps = boundedGaps(await presentedFrames(record), record.window);
  return gapsWithoutPauses(gaps, record.pauses).filter(gap => gap.lengthMs > thresholdMs);
}
