/** ECN fields of an application's media packets over time, as they left the bottleneck. */
import { binCount } from '../../../core/stats/binned.ts';
import { type EcnField, ecnFields } from '../../../core/vocabulary/ecn.ts';
import { mediaQueueSeries } from '../../record/series/queue.media.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Packets per second in each bin of the window. */
export type FieldRates = Record<EcnField, number[]>;

/** Returns the rates; null if no packet is known to have left the bottleneck with ECT or CE. */
export async function fieldRates(record: TrialRecord, binMs: number): Promise<FieldRates | null> {
  const bins = binCount(record.window, binMs);
  const perPacket = 1000 / binMs;
  const rates = Object.fromEntries(ecnFields.map(field => [field, Array<number>(bins).fill(0)])) as FieldRates;
  let hasEcn = false;
  for (const { timeMs, offeredMs, sojournMs, dropped, ecn = [], marked } of await record.read(mediaQueueSeries)) {
    const isMarked = new Set(marked);
    const isDropped = new Set(dropped.map(({ index }) => index));
    for (const [i, came] of ecn.entries()) {
      const stayedMs = sojournMs[i];
      if (stayedMs == null || isDropped.has(i)) continue;
      const field = isMarked.has(i) ? 'ce' : ecnFields[came]!;
      const bin = Math.floor((timeMs + offeredMs[i]! + stayedMs - record.window.startMs) / binMs);
      if (bin < 0 || bin >= bins) continue;
      rates[field][bin]! += perPacket;
      hasEcn ||= field !== 'not-ect';
    }
  }
  return hasEcn ? rates : null;
}
