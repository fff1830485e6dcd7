/**
 * Analyses a queue log: delay and drops of each flow, occupancy of the queue, and whether the log is consistent. Pure:
 * records in, numbers out.
 */
import { ascending, quantileOfSorted } from '../../core/stats/quantile.ts';
import { CoexistError } from '../../core/errors.ts';
import { dropReasons } from './format.ts';
import type { DropReason, QueueRecord } from './format.ts';

type Count = { packets: number; bytes: number };

/** Time from enqueue to dequeue. */
type QueueDelay = { p5Ms: number; p50Ms: number; p95Ms: number; p99Ms: number; maxMs: number };

type Traffic = {
  enqueued: Count;
  dequeued: Count;
  marked: Count;
  dropped: Record<DropReason, Count>;
  /** Of what was dequeued; undefined where that is nothing. */
  delay: QueueDelay | undefined;
};

type Flow = Pick<QueueRecord, 'source' | 'destination' | 'sourcePort' | 'destinationPort' | 'protocol'>;

/** One stretch of time; the mean is over time, not over packets. */
type OccupancyBin = {
  fromNs: number;
  meanPackets: number;
  meanBytes: number;
  maxPackets: number;
  maxBytes: number;
};

export type Conservation = {
  enqueuedPackets: number;
  /** Dequeued, of those enqueued. */
  dequeuedPackets: number;
  /** Dropped out of the queue: not those refused at its door, nor lost before it. */
  droppedPackets: number;
  /** Enqueued, and neither dequeued nor dropped by the end. */
  waitingPackets: number;
  /** Dequeued without an enqueue: they waited when the log began, or their record was lost. */
  unseenPackets: number;
  /** Enqueued a second time while they waited: never in a sound log. */
  repeatedPackets: number;
  /**
   * Enqueues and dequeues after which the queue's own count differs from ours. Next to none for a FIFO whose log began
   * with it empty: only a dequeue that was reported from behind the queue (queue-log.bpf.c) can come a packet late.
   */
  differingRecords: number;
  /** The queue's own count at the end, 0 in an empty log. */
  queuePackets: number;
  /**
   * Nothing unseen or repeated, and as many wait as the queue says. A queue that pushes out its own packets (fq_codel)
   * must have drained before the log ended.
   */
  holds: boolean;
};

type QueueAnalysis = {
  records: number;
  fromNs: number;
  toNs: number;
  /** The busiest first. */
  flows: (Traffic & { flow: Flow })[];
  total: Traffic;
  occupancy: OccupancyBin[];
  conservation: Conservation;
};

export type AnalysisOptions = {
  /** Only what happened from here on, and before there, is counted; conservation is over everything. */
  fromNs?: number;
  toNs?: number;
  /** Default 100 ms. */
  binMs?: number;
};

const mostBins = 1_000_000;

class Tally {
  readonly enqueued: Count = { packets: 0, bytes: 0 };
  readonly dequeued: Count = { packets: 0, bytes: 0 };
  readonly marked: Count = { packets: 0, bytes: 0 };
  readonly dropped = Object.fromEntries(dropReasons.map(reason => [reason, { packets: 0, bytes: 0 }])) as Record<
    DropReason,
    Count
  >;
  readonly #delaysNs: number[] = [];

  add({ event, reason, lengthBytes, sojournNs }: QueueRecord, enqueueSeen: boolean): void {
    const count =
      event === 'drop'
        ? this.dropped[reason!]
        : event === 'enqueue'
          ? this.enqueued
          : event === 'dequeue'
            ? this.dequeued
            : this.marked;
    count.packets++;
    count.bytes += lengthBytes;
    if (event === 'dequeue' && enqueueSeen) this.#delaysNs.push(sojournNs);
  }

  result(): Traffic {
    const sorted = ascending(this.#delaysNs);
    const at = (p: number) => quantileOfSorted(sorted, p)! / 1e6;
    const { enqueued, dequeued, marked, dropped } = this;
    return {
      enqueued,
      dequeued,
      marked,
      dropped,
      delay:
        sorted.length === 0
          ? undefined
          : { p5Ms: at(0.05), p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) },
    };
  }
}

/** What was in the queue between events, summed over time into bins. */
class Occupancy {
  readonly bins: OccupancyBin[] = [];
  readonly #binNs: number;
  #startNs = 0;
  #nowNs = 0;
  #packets = 0;
  #bytes = 0;

  constructor(binNs: number) {
    this.#binNs = binNs;
  }

  add({ timeNs, queuePackets, queueBytes }: QueueRecord): void {
    if (this.bins.length === 0) this.#startNs = this.#nowNs = timeNs;
    if (timeNs < this.#nowNs) return; // an enqueue that was reported late: what is in the queue now is known already
    const bin = this.#bin(Math.floor((timeNs - this.#startNs) / this.#binNs));
    this.#advance(timeNs);
    this.#packets = queuePackets;
    this.#bytes = queueBytes;
    bin.maxPackets = Math.max(bin.maxPackets, queuePackets);
    bin.maxBytes = Math.max(bin.maxBytes, queueBytes);
  }

  /** Turns sums into means; the last bin ends with the last event. */
  finish(): OccupancyBin[] {
    for (const bin of this.bins) {
      const spanNs = Math.min(this.#binNs, this.#nowNs - bin.fromNs);
      bin.meanPackets = spanNs > 0 ? bin.meanPackets / spanNs : bin.maxPackets;
      bin.meanBytes = spanNs > 0 ? bin.meanBytes / spanNs : bin.maxBytes;
    }
    return this.bins;
  }

  #advance(toNs: number): void {
    while (this.#nowNs < toNs) {
      const index = Math.floor((this.#nowNs - this.#startNs) / this.#binNs);
      const bin = this.#bin(index);
      const untilNs = Math.min(toNs, this.#startNs + (index + 1) * this.#binNs);
      bin.meanPackets += this.#packets * (untilNs - this.#nowNs);
      bin.meanBytes += this.#bytes * (untilNs - this.#nowNs);
      this.#nowNs = untilNs;
    }
  }

  #bin(index: number): OccupancyBin {
    if (index >= mostBins)
      throw new CoexistError('bad-run-folder', `the queue log spans more than ${mostBins} bins: a time in it is wrong`);
    // a queue that was left alone still holds what it held
    while (this.bins.length <= index) {
      this.bins.push({
        fromNs: this.#startNs + this.bins.length * this.#binNs,
        meanPackets: 0,
        meanBytes: 0,
        maxPackets: this.#packets,
        maxBytes: this.#bytes,
      });
    }
    return this.bins[index]!;
  }
}

class Balance {
  readonly #waiting = new Set<number>();
  readonly #counts = {
    enqueuedPackets: 0,
    dequeuedPackets: 0,
    droppedPackets: 0,
    unseenPackets: 0,
    repeatedPackets: 0,
    differingRecords: 0,
    queuePackets: 0,
  };

  /** True where the packet's enqueue is known. */
  add({ event, packet, queuePackets }: QueueRecord): boolean {
    const counts = this.#counts;
    const known = this.#waiting.has(packet);
    if (event === 'enqueue') {
      counts.enqueuedPackets++;
      if (known) counts.repeatedPackets++;
      this.#waiting.add(packet);
    } else if (event === 'dequeue') {
      if (known) counts.dequeuedPackets++;
      else counts.unseenPackets++;
      this.#waiting.delete(packet);
    } else if (event === 'drop' && known) {
      counts.droppedPackets++;
      this.#waiting.delete(packet);
    }
    if (event === 'enqueue' || event === 'dequeue') {
      if (queuePackets !== this.#waiting.size) counts.differingRecords++;
      counts.queuePackets = queuePackets;
    }
    return known;
  }

  result(): Conservation {
    const waitingPackets = this.#waiting.size;
    const counts = { ...this.#counts, waitingPackets };
    return { ...counts, holds: isAccountedFor(counts) };
  }
}

/** Whether a log adds up, of which the enqueues of at most `unreported` packets in the queue are missing at the end. */
export function isAccountedFor(counts: Omit<Conservation, 'holds'>, unreported = 0): boolean {
  const missing = counts.queuePackets - counts.waitingPackets;
  return counts.unseenPackets === 0 && counts.repeatedPackets === 0 && missing >= 0 && missing <= unreported;
}

/** Whether a log adds up, and nothing else: for logs of which no more is asked. */
export function conservationOf(records: Iterable<QueueRecord>): Conservation {
  const balance = new Balance();
  for (const record of records) balance.add(record);
  return balance.result();
}

/** Goes through the records of a log once. Throws `bad-run-folder` where their times cannot be. */
export function analyseQueueLog(records: Iterable<QueueRecord>, options: AnalysisOptions = {}): QueueAnalysis {
  const { fromNs = -Infinity, toNs = Infinity, binMs = 100 } = options;
  const flows = new Map<string, { flow: Flow; tally: Tally }>();
  const total = new Tally();
  const occupancy = new Occupancy(binMs * 1e6);
  const balance = new Balance();
  let [count, firstNs, lastNs] = [0, Infinity, -Infinity];
  for (const record of records) {
    const enqueueSeen = balance.add(record);
    if (record.timeNs < fromNs || record.timeNs >= toNs) continue;
    count++;
    firstNs = Math.min(firstNs, record.timeNs);
    lastNs = Math.max(lastNs, record.timeNs);
    const { source, destination, sourcePort, destinationPort, protocol } = record;
    const key = `${source} ${destination} ${sourcePort} ${destinationPort} ${protocol}`;
    let entry = flows.get(key);
    if (entry === undefined)
      flows.set(
        key,
        (entry = { flow: { source, destination, sourcePort, destinationPort, protocol }, tally: new Tally() }),
      );
    entry.tally.add(record, enqueueSeen);
    total.add(record, enqueueSeen);
    occupancy.add(record);
  }
  return {
    records: count,
    fromNs: count === 0 ? 0 : firstNs,
    toNs: count === 0 ? 0 : lastNs,
    flows: [...flows.values()]
      .map(({ flow, tally }) => ({ flow, ...tally.result() }))
      .sort((a, b) => b.dequeued.bytes - a.dequeued.bytes),
    total: total.result(),
    occupancy: occupancy.finish(),
    conservation: balance.result(),
  };
}
