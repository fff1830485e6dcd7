/** Stalls of a trial, as the paper defines them. */
import type { StreamRecord } from '../record/trial-record.ts';
import { boundedGaps } from './presentation.ts';
import type { Gap } from './presentation.ts';
import { presentedFrames } from './presented-times.ts';

/** "any inter-frame arrival interval exceeding 200 ms", ms. */
export const stallThresholdMs = 200;

export async function stallsOf(record: StreamRecord, thresholdMs = stallThresholdMs): Promise<Gap[]> {
  return boundedGaps(await presentedFrames(record), record.window).filter(gap => gap.lengthMs > thresholdMs);
}
