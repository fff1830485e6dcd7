/**
 * ECN fields and DSCPs of the packets of a queue log: by party and protocol, as they came and as they left, and the
 * queue delay of L4S and classic traffic. Pure: records in, numbers out.
 *
 * A packet counts in the window in which it left, or was dropped. Its class is that of the ECN field with which it came,
 * so a packet of ECT(0) that the queue marked is classic traffic.
 */
import { ascending, quantileOfSorted } from '../../core/stats/quantile.ts';
import { classOf, dscpOf, type EcnCounts, ecnOf, noPackets, type TrafficClass } from '../../core/vocabulary/ecn.ts';
import type { QueueRecord } from './format.ts';
import { partyFinder, type QueueWindow } from './summary.ts';

/** ECN fields of the packets of one party and protocol that left the queue. */
export type PartyMarks = {
  party: number;
  protocol: number;
  /** The same packets by their ECN field before and after the queue. */
  camePackets: EcnCounts;
  leftPackets: EcnCounts;
  /** Number of packets with each DSCP, in ascending order of the DSCP. */
  dscps: { dscp: number; packets: number }[];
};

/** Packets of one class that left the queue, of all parties together. */
export type ClassReading = {
  class: TrafficClass;
  sentPackets: number;
  /** Packets that the queue marked. */
  markedPackets: number;
  /** Packets that the queue dropped, without random loss. */
  droppedPackets: number;
  /** Time in the queue of the packets that left; null if none left. */
  delayMedianMs: number | null;
  delayP99Ms: number | null;
};

export type Marks = { parties: PartyMarks[]; classes: ClassReading[] };

type Class = { sentPackets: number; markedPackets: number; droppedPackets: number; delaysMs: number[] };
type Kind = Omit<PartyMarks, 'dscps'> & { dscps: Map<number, number> };

/** Collects the marks from the records of one queue, which are added one after another. */
export class QueueMarks {
  readonly #window: QueueWindow;
  readonly #partyOf: ReturnType<typeof partyFinder>;
  /** Type of service with which each waiting packet came, by the packet's number. */
  readonly #came = new Map<number, number>();
  readonly #kinds = new Map<number, Kind>();
  readonly #classes = new Map<TrafficClass, Class>();
  #isKnown = true;

  constructor(window: QueueWindow) {
    this.#window = window;
    this.#partyOf = partyFinder(window.parties);
  }

  add(record: QueueRecord): void {
    const { event, packet, service, timeNs, reason, sojournNs } = record;
    if (service === undefined) {
      this.#isKnown = false;
      return;
    }
    if (event === 'enqueue' || event === 'mark') {
      // a queue that marks on arrival reports the mark first, with the field before the mark
      if (!this.#came.has(packet)) this.#came.set(packet, service);
      return;
    }
    const came = this.#came.get(packet) ?? service;
    this.#came.delete(packet);
    const timeMs = timeNs / 1e6 + this.#window.unixOffsetMs;
    if (timeMs < this.#window.fromMs || timeMs >= this.#window.toMs) return;
    const own = this.#class(classOf(ecnOf(came)));
    if (event === 'drop') {
      if (reason !== 'random-loss') own.droppedPackets++;
      return;
    }
    own.sentPackets++;
    own.delaysMs.push(sojournNs / 1e6);
    if (ecnOf(service) === 'ce' && ecnOf(came) !== 'ce') own.markedPackets++;
    const kind = this.#kind(this.#partyOf(record), record.protocol);
    kind.camePackets[ecnOf(came)]++;
    kind.leftPackets[ecnOf(service)]++;
    kind.dscps.set(dscpOf(service), (kind.dscps.get(dscpOf(service)) ?? 0) + 1);
  }

  /** Returns the marks; null if the log does not have the type of service. */
  read(): Marks | null {
    if (!this.#isKnown) return null;
    return {
      parties: [...this.#kinds.values()].map(({ dscps, ...kind }) => ({
        ...kind,
        dscps: [...dscps].sort(([a], [b]) => a - b).map(([dscp, packets]) => ({ dscp, packets })),
      })),
      classes: [...this.#classes].map(([name, { delaysMs, ...counts }]) => {
        const sorted = ascending(delaysMs);
        const at = (p: number) => quantileOfSorted(sorted, p) ?? null;
        return { class: name, ...counts, delayMedianMs: at(0.5), delayP99Ms: at(0.99) };
      }),
    };
  }

  #kind(party: number, protocol: number): Kind {
    const key = party * 256 + protocol;
    let kind = this.#kinds.get(key);
    if (kind === undefined)
      this.#kinds.set(
        key,
        (kind = { party, protocol, camePackets: noPackets(), leftPackets: noPackets(), dscps: new Map() }),
      );
    return kind;
  }

  #class(name: TrafficClass): Class {
    let own = this.#classes.get(name);
    if (own === undefined)
      this.#classes.set(name, (own = { sentPackets: 0, markedPackets: 0, droppedPackets: 0, delaysMs: [] }));
    return own;
  }
}
