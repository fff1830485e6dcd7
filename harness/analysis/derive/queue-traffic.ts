/**
 * Traffic of applications at the bottleneck: all packets between an application's own hosts in the direction of the
 * application, except pings.
 */
import { icmpProtocol } from '../../../core/vocabulary/icmp.ts';
import type { QueueDelayRecord } from '../../record/series/queue-delay.ts';
import type { QueueLogReading } from '../../record/trial-file.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Application, IP protocol and direction of an entry of the queue log. */
type Kind = { application: string | null; protocol: number; direction?: 'up' };

export const directionOf = ({ direction }: Pick<Kind, 'direction'>) => direction ?? 'down';

/** True for everything but pings. */
const isTraffic = ({ protocol }: Pick<Kind, 'protocol'>) => protocol !== icmpProtocol;

/** Returns a test that is true for the traffic of the applications. */
export const trafficOf =
  (records: readonly Pick<TrialRecord, 'application'>[]) =>
  (kind: Kind): boolean =>
    isTraffic(kind) &&
    records.some(
      ({ application: { name, direction } }) => kind.application === name && directionOf(kind) === direction,
    );

/**
 * Returns the entry of the queue log with the most sent bytes of the applications; undefined without a log or such an
 * entry. A call has entries for UDP and for TCP; the media are its largest one.
 */
export function largestOf(
  log: QueueLogReading | null,
  records: readonly Pick<TrialRecord, 'application'>[],
): QueueLogReading['traffic'][number] | undefined {
  return log?.traffic.filter(trafficOf(records)).sort((a, b) => b.sentBytes - a.sentBytes)[0];
}

type Logged = Pick<TrialRecord, 'file' | 'application'>;

/**
 * Returns the bytes of all traffic that left the queue over the measured window in the direction of the record's
 * application, as the link counts them. `records`: only the traffic of these applications. Null without a queue log.
 */
export function sentBytesOf(
  { file: { queueLog }, application: { direction } }: Logged,
  records?: readonly Pick<TrialRecord, 'application'>[],
): number | null {
  const isWanted = records === undefined ? isTraffic : trafficOf(records);
  return (
    queueLog?.traffic
      .filter(of => directionOf(of) === direction && isWanted(of))
      .reduce((sum, { sentBytes }) => sum + sentBytes, 0) ?? null
  );
}

/** Returns the share of the packets offered to the queue that were dropped there (full queue, AQM or other reason). */
export function dropShare({
  droppedPackets: { overflow, aqm, other },
  sentPackets,
}: Pick<QueueLogReading['traffic'][number], 'droppedPackets' | 'sentPackets'>): number {
  const dropped = overflow + aqm + other;
  return dropped / (dropped + sentPackets);
}

/**
 * Returns the median queue delays of the applications' packets, ms, over the 100 ms around each time: those of the
 * application and protocol with the most bytes there.
 */
export function delaySeries(
  bins: readonly QueueDelayRecord[],
  records: readonly Pick<TrialRecord, 'application'>[],
): { timeMs: number; value: number }[] {
  const largest = new Map<number, QueueDelayRecord>();
  for (const bin of bins.filter(trafficOf(records)))
    if (bin.delayMedianMs !== null && bin.sentBytes > (largest.get(bin.timeMs)?.sentBytes ?? -1))
      largest.set(bin.timeMs, bin);
  return [...largest.values()].map(({ timeMs, delayMedianMs }) => ({ timeMs, value: delayMedianMs! }));
}
