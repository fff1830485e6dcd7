/**
 * ECN fields with which the packets of an application's media arrived, by the receiver: as feedback told the sender, and
 * as the receiving browser counts in getStats.
 */
import { growth, type Reading } from '../../../core/stats/counters.ts';
import { callerSeries } from '../../record/series/caller.ts';
import { senderSeries } from '../../record/series/sender.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';

/** Packets that arrived in the window. `ect`: with ECT(1) or ECT(0). */
type ReportedMarks = {
  ect: number;
  ce: number;
  /** Packets that were sent with ECT and arrived without; null if this is not known. */
  bleached: number | null;
};

/** Returns the growth of a counter over the record's window as a whole number; null without readings. */
function grown(readings: readonly Reading[], record: TrialRecord): number | null {
  const value = growth(readings, record.window);
  return value === null ? null : Math.round(value);
}

/**
 * Returns what the sender knows from feedback of RFC 8888; null without such feedback. A browser that sends reports only
 * the packets with ECT(1), and those with CE.
 */
export async function feedbackMarks(record: TrialRecord): Promise<ReportedMarks | null> {
  const samples = (await record.read(senderSeries)).flatMap(({ timeMs, reportedEcn }) =>
    reportedEcn === undefined ? [] : [{ timeMs, ...reportedEcn }],
  );
  const of = (counter: 'not-ect' | 'ect1' | 'ect0' | 'ce') =>
    grown(
      samples.map(sample => ({ timeMs: sample.timeMs, value: sample[counter] })),
      record,
    );
  const [none, ect1, ect0, ce] = [of('not-ect'), of('ect1'), of('ect0'), of('ce')];
  if (none !== null && ect1 !== null && ect0 !== null && ce !== null) return { ect: ect1 + ect0, ce, bleached: none };
  const remote = (await record.read(callerSeries)).flatMap(({ timeMs, remoteInbound }) =>
    remoteInbound === null ? [] : [{ timeMs, remoteInbound }],
  );
  const told = (name: string) =>
    grown(
      remote.flatMap(({ timeMs, remoteInbound }) => {
        const value = remoteInbound[name];
        return typeof value === 'number' ? [{ timeMs, value }] : [];
      }),
      record,
    );
  const [withEct1, withCe] = [told('packetsReceivedWithEct1'), told('packetsReceivedWithCe')];
  if (withEct1 === null || withCe === null) return null;
  return { ect: withEct1, ce: withCe, bleached: told('packetsWithBleachedEct1Marking') };
}

/** Returns what the receiving browser counts; null if it has no such counters. It does not count ECT(0). */
export async function receivedMarks(record: TrialRecord): Promise<Pick<ReportedMarks, 'ect' | 'ce'> | null> {
  const [ect, ce] = await Promise.all(
    ['packetsReceivedWithEct1', 'packetsReceivedWithCe'].map(async name =>
      grown(await inboundCounter(record, name), record),
    ),
  );
  return ect == null || ce == null ? null : { ect, ce };
}
