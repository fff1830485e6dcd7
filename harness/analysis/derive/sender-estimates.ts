/**
 * Bandwidth estimates of a sender's congestion control: the media server's own, or those of a sending browser. The
 * target rate stands in for the estimate of a controller that has none.
 */
import { controllerSeries } from '../../record/series/controller.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { browserEstimates } from './browser-estimates.ts';

/** Returns the estimate in a state of a controller, bit/s; undefined if it has neither estimate nor target rate. */
export function estimateIn({ estimateBps, targetBps }: Readonly<Record<string, unknown>>): number | undefined {
  const value = estimateBps ?? targetBps;
  return typeof value === 'number' ? value : undefined;
}

/** Returns the estimates in bit/s with their times, Unix ms of the harness's clock. Empty if the sender has none. */
export async function senderEstimates(record: TrialRecord): Promise<{ timeMs: number; estimateBps: number }[]> {
  const ours = (await record.read(controllerSeries)).flatMap(state => {
    const estimateBps = estimateIn(state);
    return estimateBps === undefined ? [] : [{ timeMs: state.timeMs, estimateBps }];
  });
  return [...ours, ...(await browserEstimates(record))];
}
