/**
 * Bandwidth estimates of a sending browser. They are the only values of the browser's congestion control in getStats.
 * Source: W3C webrtc-stats, availableOutgoingBitrate.
 */

import { callerSeries } from '../../record/series/caller.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/**
 * Returns the estimates in bit/s, at the times at which the caller's page read them (Unix ms). Empty if the sender is
 * our server.
 */
export async function browserEstimates(record: TrialRecord): Promise<{ timeMs: number; estimateBps: number }[]> {
  return (await record.read(callerSeries)).flatMap(({ timeMs, candidatePair }) => {
    const estimateBps = candidatePair?.['availableOutgoingBitrate'];
    return typeof estimateBps === 'number' ? [{ timeMs, estimateBps }] : [];
  });
}
