/**
 * What a browser that sends takes the path to carry: its getStats tell nothing else of its congestion control. Source:
 * W3C webrtc-stats, availableOutgoingBitrate.
 */

import { callerSeries } from '../../record/series/caller.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** In bit/s, as often as the caller's page asked (Unix ms); of a trial whose sender is our server there are none. */
export async function browserEstimates(record: TrialRecord): Promise<{ timeMs: number; estimateBps: number }[]> {
  return (await record.read(callerSeries)).flatMap(({ timeMs, candidatePair }) => {
    const estimateBps = candidatePair?.['availableOutgoingBitrate'];
    return typeof estimateBps === 'number' ? [{ timeMs, estimateBps }] : [];
  });
}
