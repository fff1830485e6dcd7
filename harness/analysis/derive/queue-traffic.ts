/**
 * Traffic of media and floods at the bottleneck. Media is the UDP traffic between the application's two hosts in the
 * application's direction. A flood is all traffic between the flood's own two hosts in the flood's direction.
 */
import { udpProtocol } from '../../../core/vocabulary/udp.ts';
import type { QueueDelayRecord } from '../../record/series/queue-delay.ts';
import type { QueueLogReading } from '../../record/trial-file.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

type Kind = { application: string | null; protocol: number; direction?: 'up' };

export const directionOf = ({ direction }: Pick<Kind, 'direction'>) => direction ?? 'down';

/** Returns a test that is true for the media of the record's application. */
export const mediaOf =
  ({ application: { name, direction } }: Pick<TrialRecord, 'application'>) =>
  (kind: Kind) =>
    kind.application === name && kind.protocol === udpProtocol && directionOf(kind) === direction;

/** Returns a test that is true for the traffic of the floods in the record's trial. */
export function floodsOf(record: Pick<TrialRecord, 'floods'>): (kind: Kind) => boolean {
  const floods = record.floods();
  return kind =>
    floods.some(({ application: { name, direction } }) => kind.application === name && directionOf(kind) === direction);
}

/**
 * Returns the entry of the queue log that passes the test `kind` and has the most sent bytes; undefined without a log
 * or such an entry.
 */
export function trafficOf(
  log: QueueLogReading | null,
  kind: (of: Kind) => boolean,
): QueueLogReading['traffic'][number] | undefined {
  return log?.traffic.filter(kind).sort((a, b) => b.sentBytes - a.sentBytes)[0];
}

/**
 * Returns the bytes that left the queue over the measured window in the direction of the record's application, as the
 * link counts them. Default of `isWanted`: the application's own traffic. Null without a queue log.
 */
export function sentBytesOf(
  { file: { queueLog }, application: { name, direction } }: Pick<TrialRecord, 'file' | 'application'>,
  isWanted: (of: Kind) => boolean = ({ application }) => application === name,
): number | null {
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
 * Returns the median queue delays of a kind of traffic, ms, over the 100 ms around each time. `kind`: test for the
 * traffic.
 */
export function delaySeries(
  bins: readonly QueueDelayRecord[],
  kind: (of: Kind) => boolean,
): { timeMs: number; value: number }[] {
  return bins
    .filter(kind)
    .flatMap(({ timeMs, delayMedianMs }) => (delayMedianMs === null ? [] : [{ timeMs, value: delayMedianMs }]));
}
