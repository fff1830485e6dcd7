/** Stalls of a trial, as the paper defines them. */
import { stallThresholdMs } from '../../core/stalls.ts';
import type { StreamRecord } from '../record/trial-record.ts';
import { boundedGaps } from './presentation.ts';
import type { Gap } from './presentation.ts';
import { presentedFrames } from './presented-times.ts';

export async function stallsOf(record: StreamRecord, thresholdMs = stallThresholdMs): Promise<Gap[]> {
  return boundedGaps(await presentedFrames(record), record.window).filter(gap => gap.lengthMs > thresholdMs);
}
