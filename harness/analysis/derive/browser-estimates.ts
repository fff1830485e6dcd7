/**
 * Bandwidth estimate of a sending browser, the only value of its congestion control in getStats. Source: W3C
 * webrtc-stats, availableOutgoingBitrate.
 */

import { callerSeries } from '../../record/series/caller.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Estimates in bit/s at the times of the caller page's readings (Unix ms). Empty if the sender is our server. */
export async function browserEstimates(record: TrialRecord): Promise<{ timeMs: number; estimateBps: number }[]> {
  return (await record.read(callerSeries)).flatMap(({ timeMs, candidatePair }) => {
    const estimateBps = candidatePair?.['availableOutgoingBitrate'];
    return typeof estimateBps === 'number' ? [{ timeMs, estimateBps }] : [];
  });
}
