/** Counters of the received stream from getStats (W3C webrtc-stats, inbound-rtp). */
import type { Reading } from '../../../core/stats/counters.ts';
import { statsSeries } from '../../record/series/stats.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Returns the readings of the counter named `name`; empty if the browser does not have this counter. */
export async function inboundCounter(record: TrialRecord, name: string): Promise<Reading[]> {
  return (await record.read(statsSeries)).flatMap(({ timeMs, inbound }) => {
    const value = inbound?.[name];
    return typeof value === 'number' ? [{ timeMs, value }] : [];
  });
}
