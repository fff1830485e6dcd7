/** Media and flood at the bottleneck: media is the server's UDP, the flood everything of the flooder. */
import type { QueueDelayRecord } from '../record/series.ts';
import type { QueueLogReading } from '../record/trial-file.ts';

const udp = 17;

type Kind = { sender: 'server' | 'flooder' | null; protocol: number };

export const isMedia = ({ sender, protocol }: Kind) => sender === 'server' && protocol === udp;
export const isFlood = ({ sender }: Kind) => sender === 'flooder';

/** What the queue log says of a kind of traffic: undefined without a log, or where nothing of it was seen. */
export function trafficOf(log: QueueLogReading | null, kind: (of: Kind) => boolean): QueueLogReading['traffic'][number] | undefined {
  return log?.traffic.filter(kind).sort((a, b) => b.sentBytes - a.sentBytes)[0];
}

/** Share of the packets at the queue that a full queue or an AQM dropped. */
export function dropShare({ droppedPackets: { overflow, aqm, other }, sentPackets }: Pick<QueueLogReading['traffic'][number], 'droppedPackets' | 'sentPackets'>): number {
  const dropped = overflow + aqm + other;
  return dropped / (dropped + sentPackets);
}

/** Median queue delays of a kind of traffic over time, ms, of the 100 ms around each time. */
export function delaySeries(bins: readonly QueueDelayRecord[], kind: (of: Kind) => boolean): { timeMs: number; value: number }[] {
  return bins.filter(kind).flatMap(({ timeMs, delayMedianMs }) => (delayMedianMs === null ? [] : [{ timeMs, value: delayMedianMs }]));
}
