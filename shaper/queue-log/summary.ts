/**
 * Summary of a queue log: results of each kind of traffic (one party, one protocol) at the queue, over a window and in
 * bins of 100 ms, and results of each flow. A party is a server and its clients; packets between them in either
 * direction belong to the party. Pure: records in, numbers out.
 */

import { ascending, mean, quantileOfSorted } from '../../core/stats/quantile.ts';
import { type DropReason, dropReasons } from '../../core/vocabulary/drop-reason.ts';
import { icmpProtocol } from '../../core/vocabulary/icmp.ts';
import { addressNumber, type QueueRecord } from './format.ts';

const binMs = 100;

type DelayQuantiles = {
  meanMs: number;
  p5Ms: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
};

/** Numbers of packets that were sent, marked and dropped. */
type Fates = {
  sentPackets: number;
  sentBytes: number;
  markedPackets: number;
  droppedPackets: Record<DropReason, number>;
};

/** Index of a party in the list of parties; -1: the packets belong to no party. */
type OfParty = { party: number };

/**
 * Addresses of a server and its clients. A server may send from all addresses of its network (/24). `server` null: any
 * sender to the clients.
 */
export type Party = { server: string | null; client: string; furtherClients?: readonly string[] };

export type QueueTraffic = Fates &
  OfParty & {
    /** Packets that waited in the queue longer than `lateMs`. */
    latePackets: number;
    /** IP protocol number: 1 ICMP, 6 TCP, 17 UDP. */
    protocol: number;
    /** Time in the queue of the packets that left in the window; null if none left. */
    delay: DelayQuantiles | null;
  };

/** Traffic of one party and protocol between one pair of ports. */
export type QueueFlow = QueueTraffic & { sourcePort: number; destinationPort: number };

export type QueueBin = Fates &
  OfParty & {
    /** Time of the middle of the bin, Unix ms. */
    timeMs: number;
    protocol: number;
    delayMedianMs: number | null;
    delayMaxMs: number | null;
  };

/** Times at which the first and the last packet of a party arrived at the queue, without pings, Unix ms. */
export type PacketSpan = { firstMs: number; lastMs: number };

export type QueueSummary = {
  /** Span of each party over the whole log; null for a party without packets. */
  spans: (PacketSpan | null)[];
  traffic: QueueTraffic[];
  /** Flows of the protocols that have ports. */
  flows: QueueFlow[];
  bins: QueueBin[];
};

class Tally {
  readonly fates: Fates = {
    sentPackets: 0,
    sentBytes: 0,
    markedPackets: 0,
    droppedPackets: Object.fromEntries(dropReasons.map(reason => [reason, 0])) as Record<DropReason, number>,
  };
  readonly delaysMs: number[] = [];

  add({ event, reason, lengthBytes, sojournNs }: QueueRecord): void {
    if (event === 'dequeue') {
      this.fates.sentPackets++;
      this.fates.sentBytes += lengthBytes;
      this.delaysMs.push(sojournNs / 1e6);
    } else if (event === 'drop') this.fates.droppedPackets[reason!]++;
    else if (event === 'mark') this.fates.markedPackets++;
  }
}

type Kind = { party: number; protocol: number; all: Tally; binned: Map<number, Tally> };

export type QueueWindow = {
  parties: readonly Party[];
  /** Time in the queue above which a packet counts as late. */
  lateMs: number;
  unixOffsetMs: number;
  fromMs: number;
  toMs: number;
};

/**
 * Summarises the records. The time of a record on the caller's clock is `timeNs` / 1e6 + `unixOffsetMs` in ms. Only
 * events in [fromMs, toMs) count, but spans are over all records.
 */
export function summariseQueue(
  records: Iterable<QueueRecord>,
  { parties, lateMs, unixOffsetMs, fromMs, toMs }: QueueWindow,
): QueueSummary {
  const partyOf = partyFinder(parties);
  const kinds = new Map<number, Kind>();
  const spans: (PacketSpan | null)[] = parties.map(() => null);
  const flows = new Map<string, Omit<QueueFlow, keyof Fates | 'delay' | 'latePackets'> & { tally: Tally }>();
  for (const record of records) {
    const timeMs = record.timeNs / 1e6 + unixOffsetMs;
    const party = partyOf(record);
    if (party >= 0 && record.protocol !== icmpProtocol) widen(spans, party, timeMs - record.sojournNs / 1e6);
    if (record.event === 'enqueue' || timeMs < fromMs || timeMs >= toMs) continue;
    const key = party * 256 + record.protocol;
    let kind = kinds.get(key);
    if (kind === undefined)
      kinds.set(key, (kind = { party, protocol: record.protocol, all: new Tally(), binned: new Map() }));
    const bin = Math.floor((timeMs - fromMs) / binMs);
    let tally = kind.binned.get(bin);
    if (tally === undefined) kind.binned.set(bin, (tally = new Tally()));
    kind.all.add(record);
    tally.add(record);
    const { sourcePort, destinationPort, protocol } = record;
    if (sourcePort === 0) continue;
    const name = `${key} ${sourcePort} ${destinationPort}`;
    let flow = flows.get(name);
    if (flow === undefined)
      flows.set(name, (flow = { party, protocol, sourcePort, destinationPort, tally: new Tally() }));
    flow.tally.add(record);
  }
  return {
    spans,
    traffic: [...kinds.values()].map(({ party, protocol, all }) => ({
      party,
      protocol,
      ...all.fates,
      ...waits(all, lateMs),
    })),
    flows: [...flows.values()].map(({ tally, ...flow }) => ({ ...flow, ...tally.fates, ...waits(tally, lateMs) })),
    bins: [...kinds.values()]
      .flatMap(({ party, protocol, binned }) =>
        [...binned].map(([bin, tally]): QueueBin => {
          const sorted = ascending(tally.delaysMs);
          return {
            timeMs: fromMs + (bin + 0.5) * binMs,
            party,
            protocol,
            ...tally.fates,
            delayMedianMs: quantileOfSorted(sorted, 0.5) ?? null,
            delayMaxMs: sorted.at(-1) ?? null,
          };
        }),
      )
      .sort((a, b) => a.timeMs - b.timeMs),
  };
}

function widen(spans: (PacketSpan | null)[], party: number, timeMs: number): void {
  const span = spans[party];
  if (span == null) spans[party] = { firstMs: timeMs, lastMs: timeMs };
  else {
    span.firstMs = Math.min(span.firstMs, timeMs);
    span.lastMs = Math.max(span.lastMs, timeMs);
  }
}

/**
 * Returns a function that returns the index of a packet's party; -1 for a packet of none. It looks up each pair of
 * addresses once.
 */
export function partyFinder(
  parties: readonly Party[],
): (record: Pick<QueueRecord, 'source' | 'destination'>) => number {
  const known = parties.map(({ server, client, furtherClients = [] }) => ({
    network: server === null ? null : addressNumber(server) >>> 8,
    clients: [client, ...furtherClients].map(addressNumber),
  }));
  const find = (source: number, destination: number) =>
    known.findIndex(
      ({ network, clients }) =>
        (clients.includes(destination) && (network === null || source >>> 8 === network)) ||
        (clients.includes(source) && (network === null || destination >>> 8 === network)),
    );
  const found = new Map<number, Map<number, number>>();
  return ({ source, destination }) => {
    let ofSource = found.get(source);
    if (ofSource === undefined) found.set(source, (ofSource = new Map()));
    let party = ofSource.get(destination);
    if (party === undefined) ofSource.set(destination, (party = find(source, destination)));
    return party;
  };
}

const waits = ({ delaysMs }: Tally, lateMs: number) => ({
  delay: quantiles(delaysMs),
  latePackets: delaysMs.filter(delayMs => delayMs > lateMs).length,
});

function quantiles(delaysMs: readonly number[]): DelayQuantiles | null {
  if (delaysMs.length === 0) return null;
  const sorted = ascending(delaysMs);
  const at = (p: number) => quantileOfSorted(sorted, p)!;
  return { meanMs: mean(sorted)!, p5Ms: at(0.05), p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
}
