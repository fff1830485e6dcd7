/**
 * What each side of a trial met at the bottleneck, from the log of every packet there. A side is known by its client, and by the network that its server
 * sends from, so a service may have as many addresses there as it likes; who sends to a client from the Internet is nobody's server here, and one client's all
 * the same. Pure: records in, numbers out.
 */
import { ascending, mean, quantileOfSorted } from '../../core/stats/quantile.ts';
import type { DropReason, QueueRecord } from '../../shaper/queue-log/format.ts';

const udp = 17;
export const binMs = 100;

export type SideTraffic = {
  sentPackets: number;
  /** As the queue counts them. */
  sentBytes: number;
  droppedPackets: Record<DropReason, number>;
  /** Time in the queue, over packets that left it; null where none did. */
  delay: { meanMs: number; p50Ms: number; p95Ms: number; maxMs: number } | null;
  /** UDP packets that left the queue, and those that had waited longer than the limit. */
  udpPackets: number;
  lateUdpPackets: number;
};

/** Name of the series in a trial's folder. */
export const sidesSeries = 'queue-sides';

/** Both sides in a stretch of 100 ms. */
export type SideBin = { /** Middle of the stretch, Unix ms. */ timeMs: number; side: number; sentBytes: number; droppedPackets: number; delayMeanMs: number | null };

/** Whose packets are a side's. */
export type SideKey = {
  /** Address of its client as the records have it. */
  client: number;
  /** The first three bytes of its server's network, 10.0.1.x = 0x0a0001; null: from wherever. */
  network: number | null;
};

export type SidesOptions = {
  keys: readonly SideKey[];
  /** A record's time is `timeNs` / 1e6 + `unixOffsetMs`; only [fromMs, toMs) counts. */
  unixOffsetMs: number;
  fromMs: number;
  toMs: number;
  /** Time in the queue from which a UDP packet is late. */
  lateMs: number;
};

/** The first three bytes of "10.0.1.2". */
export function networkOf(address: string): number {
  return address.split('.').slice(0, 3).reduce((bits, byte) => bits * 256 + Number(byte), 0);
}

class Tally {
  sentPackets = 0;
  sentBytes = 0;
  udpPackets = 0;
  lateUdpPackets = 0;
  readonly droppedPackets: Record<DropReason, number> = { 'overflow': 0, 'random-loss': 0, 'aqm': 0, 'other': 0 };
  readonly delaysMs: number[] = [];
  readonly bins = new Map<number, { sentBytes: number; droppedPackets: number; delaysMs: number[] }>();

  add(record: QueueRecord, bin: number, lateMs: number): void {
    let binned = this.bins.get(bin);
    if (binned === undefined) this.bins.set(bin, binned = { sentBytes: 0, droppedPackets: 0, delaysMs: [] });
    if (record.event === 'drop') {
      this.droppedPackets[record.reason!]++;
      binned.droppedPackets++;
    } else if (record.event === 'dequeue') {
      const delayMs = record.sojournNs / 1e6;
      this.sentPackets++;
      this.sentBytes += record.lengthBytes;
      this.delaysMs.push(delayMs);
      binned.sentBytes += record.lengthBytes;
      binned.delaysMs.push(delayMs);
      if (record.protocol !== udp) return;
      this.udpPackets++;
      if (delayMs > lateMs) this.lateUdpPackets++;
    }
  }

  result(): SideTraffic {
    const { sentPackets, sentBytes, droppedPackets, udpPackets, lateUdpPackets } = this;
    const sorted = ascending(this.delaysMs);
    const at = (p: number) => quantileOfSorted(sorted, p)!;
    const delay = sorted.length === 0 ? null : { meanMs: mean(sorted)!, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
    return { sentPackets, sentBytes, droppedPackets, delay, udpPackets, lateUdpPackets };
  }
}

/** One account a side, in their order. Packets of other senders are left out. */
export function queueSides(records: Iterable<QueueRecord>, { keys, unixOffsetMs, fromMs, toMs, lateMs }: SidesOptions): { sides: SideTraffic[]; bins: SideBin[] } {
  const tallies = keys.map(() => new Tally());
  for (const record of records) {
    const timeMs = record.timeNs / 1e6 + unixOffsetMs;
    if (timeMs < fromMs || timeMs >= toMs) continue;
    tallies[keys.findIndex(({ client, network }) => record.destination === client && (network === null || record.source >>> 8 === network))]?.add(record, Math.floor((timeMs - fromMs) / binMs), lateMs);
  }
  return {
    sides: tallies.map(tally => tally.result()),
    bins: tallies.flatMap((tally, side) => [...tally.bins].map(([bin, { sentBytes, droppedPackets, delaysMs }]): SideBin => ({
      timeMs: fromMs + (bin + 0.5) * binMs, side, sentBytes, droppedPackets, delayMeanMs: mean(delaysMs) ?? null,
    }))).sort((a, b) => a.timeMs - b.timeMs),
  };
}
