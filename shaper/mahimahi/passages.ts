/**
 * Events of the packets at a queue of mm-link, from captures before and behind it.
 *
 * Every queue of mm-link is first in, first out: a packet that came before one that left, and did not leave itself, was
 * dropped. So the fate of a packet is known when a later one leaves. The captures do not show when an AQM dropped it: a
 * packet that CoDel drops has the time of the next departure.
 */
import type { DropReason } from '../../core/vocabulary/drop-reason.ts';
import type { WrittenRecord } from '../queue-log/writer.ts';
import { type CapturedPacket, isSamePacket } from './captured.ts';

export type PassageQueue = {
  type: 'droptail' | 'codel' | 'pie';
  /** Limit of the queue in packets or in bytes; the other one is null. */
  packets: number | null;
  bytes: number | null;
  /** Bytes of each packet in addition to the IP packet: as a limit counts them, and as the log has them. */
  limitOverheadBytes: number;
  overheadBytes: number;
  /** Number of packets that wait at the end of the captures. */
  waitingAtEnd: number;
};

/** A packet that came to the queue. */
type Offered = CapturedPacket & {
  number: number;
  fate: 'sent' | 'dropped' | 'waiting' | undefined;
  /** Time at which it left, or was dropped from the queue. */
  endNs: number;
};

type Captured = AsyncIterable<CapturedPacket>;

/** Yields the records of the queue in the order of time. `before` and `behind`: captures on both sides. */
export async function* passages(
  before: Captured,
  behind: Captured,
  queue: PassageQueue,
): AsyncGenerator<WrittenRecord> {
  const events = new Events(queue);
  const arrivals = before[Symbol.asyncIterator]();
  let next = await arrivals.next();
  /** Packets whose fate is not known, the oldest first. */
  const open: Offered[] = [];
  let number = 0;
  const arriveUntil = async (timeNs: number) => {
    for (; !next.done && next.value.timeNs <= timeNs; next = await arrivals.next()) {
      const offered: Offered = { ...next.value, number: ++number, fate: undefined, endNs: 0 };
      open.push(offered);
      events.arrive(offered);
    }
  };
  try {
    for await (const left of behind) {
      await arriveUntil(left.timeNs);
      const k = open.findIndex(offered => isSamePacket(offered, left));
      if (k < 0) continue; // it came before the captures began
      const known = open.splice(0, k + 1);
      for (const [index, offered] of known.entries()) {
        offered.fate = index < k ? 'dropped' : 'sent';
        offered.endNs = left.timeNs;
      }
      events.leave(known[k]!);
      yield* events.known();
    }
    await arriveUntil(Infinity);
    for (const [index, offered] of open.entries()) {
      offered.fate = index < queue.waitingAtEnd ? 'waiting' : 'dropped';
      offered.endNs = offered.timeNs;
    }
    yield* events.known();
  } finally {
    await arrivals.return?.(undefined);
  }
}

/** Arrivals and departures that are not yet records, and the contents of the queue. */
class Events {
  readonly #queue: PassageQueue;
  #arrivals: Offered[] = [];
  #departures: Offered[] = [];
  /** Packets in the queue that an AQM will drop, the oldest first. */
  #doomed: Offered[] = [];
  #packets = 0;
  #ipBytes = 0;

  constructor(queue: PassageQueue) {
    this.#queue = queue;
  }

  arrive(offered: Offered): void {
    this.#arrivals.push(offered);
  }

  leave(offered: Offered): void {
    this.#departures.push(offered);
  }

  /** Yields the records of all events up to the first packet of unknown fate. */
  *known(): Generator<WrittenRecord> {
    let [arrived, left] = [0, 0];
    for (;;) {
      const [arrival, departure] = [this.#arrivals[arrived], this.#departures[left]];
      if (arrival !== undefined && (departure === undefined || arrival.timeNs <= departure.endNs)) {
        if (arrival.fate === undefined) break;
        yield this.#offer(arrival);
        arrived++;
      } else if (departure !== undefined) {
        yield* this.#depart(departure);
        left++;
      } else break;
    }
    this.#arrivals = this.#arrivals.slice(arrived);
    this.#departures = this.#departures.slice(left);
  }

  #offer(offered: Offered): WrittenRecord {
    const isFull = this.#isFullFor(offered);
    if (offered.fate === 'dropped' && (isFull || this.#queue.type !== 'codel'))
      return this.#record(offered, 'drop', isFull || this.#queue.type === 'droptail' ? 'overflow' : 'aqm');
    this.#packets++;
    this.#ipBytes += offered.ipBytes;
    if (offered.fate === 'dropped') this.#doomed.push(offered);
    return this.#record(offered, 'enqueue');
  }

  *#depart(offered: Offered): Generator<WrittenRecord> {
    while (this.#doomed.length > 0 && this.#doomed[0]!.number < offered.number) {
      const doomed = this.#doomed.shift()!;
      this.#take(doomed);
      yield this.#record(doomed, 'drop', 'aqm');
    }
    this.#take(offered);
    yield this.#record(offered, 'dequeue');
  }

  #take({ ipBytes }: Offered): void {
    this.#packets--;
    this.#ipBytes -= ipBytes;
  }

  #isFullFor({ ipBytes }: Offered): boolean {
    const { packets, bytes, limitOverheadBytes } = this.#queue;
    if (packets !== null) return this.#packets + 1 > packets;
    return bytes !== null && this.#ipBytes + ipBytes + (this.#packets + 1) * limitOverheadBytes > bytes;
  }

  #record(
    { timeNs, endNs, number, ipBytes, bytes }: Offered,
    event: WrittenRecord['event'],
    reason?: DropReason,
  ): WrittenRecord {
    const { overheadBytes } = this.#queue;
    // CoDel alone drops packets that are in the queue
    const isEnd = event === 'dequeue' || (reason === 'aqm' && this.#queue.type === 'codel');
    return {
      timeNs: isEnd ? endNs : timeNs,
      packet: number,
      event,
      ...(reason === undefined ? {} : { reason }),
      sojournNs: isEnd ? endNs - timeNs : 0,
      lengthBytes: ipBytes + overheadBytes,
      queuePackets: this.#packets,
      queueBytes: this.#ipBytes + this.#packets * overheadBytes,
      ip: bytes,
    };
  }
}
