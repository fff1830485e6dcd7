/**
 * Fate at the queue of each RTP packet of one sender, in order of arrival. Pure: records in, columns out.
 *
 * RTP is distinguished from RTCP on the same port by its payload type (RFC 5761, section 4: RTCP has 64 to 95), and
 * from STUN and DTLS by its version (RFC 7983, section 7). The log holds no SSRC, so each payload type counts as a
 * stream.
 */
import type { DropReason } from '../../core/vocabulary/drop-reason.ts';
import { udpProtocol } from '../../core/vocabulary/udp.ts';
import type { QueueRecord } from './format.ts';

/** Up to 1000 packets of one sender, as columns of equal length. */
export type MediaQueueLine = {
  /** Arrival time of the first packet at the queue, Unix ms. */
  timeMs: number;
  /**
   * RTP payload type of each packet. Media packets have other types than retransmissions and padding, whose sequence
   * numbers are separate.
   */
  payloadTypes: number[];
  sequences: number[];
  /** Arrival time of each packet at the queue, ms after `timeMs`. */
  offeredMs: number[];
  /**
   * Time of each packet in the queue, ms; 0 if it was refused on arrival or lost before the queue, null if it never
   * left.
   */
  sojournMs: (number | null)[];
  /** Number of packets of all senders in the queue at the arrival of each packet. */
  queuePackets: number[];
  /** Packets of this line that were dropped, by their index; all others left. */
  dropped: { index: number; reason: DropReason }[];
  /**
   * ECN field of each packet as it came to the queue, by the value of its two bits (core/vocabulary/ecn.ts). Missing in
   * records before December 2026, as is `marked`.
   */
  ecn?: number[];
  /** Index of each packet that the queue marked. */
  marked?: number[];
};

const rtpVersion = 2;
const mostPackets = 1000;

type Place = { line: MediaQueueLine; index: number };

/** Rounds a time to microseconds. */
const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

/** Returns the payload type of an RTP packet's record; undefined for other packets. */
function payloadTypeOf({ protocol, transportSecond }: QueueRecord): number | undefined {
  if (protocol !== udpProtocol || transportSecond >>> 30 !== rtpVersion) return undefined;
  const type = (transportSecond >>> 16) & 0x7f;
  return type >= 64 && type <= 95 ? undefined : type;
}

/** Collects the fates of one sender's packets from the records of a log, added one after another. */
export class MediaFates {
  readonly lines: MediaQueueLine[] = [];
  readonly #source: number | null;
  readonly #unixOffsetMs: number;
  readonly #waiting = new Map<number, Place>();
  /** ECN fields before the mark of packets that the queue marked before it took them. */
  readonly #markedFirst = new Map<number, number>();
  /** The packet that left last. A loss behind the queue is reported directly after it. */
  #left: { packet: number; place: Place } | undefined;

  /**
   * `source`: the sender's address in the form of records; null: matches no packet. The Unix time of a record is
   * `timeNs` / 1e6 + `unixOffsetMs` in ms.
   */
  constructor(source: number | null, unixOffsetMs: number) {
    this.#source = source;
    this.#unixOffsetMs = unixOffsetMs;
  }

  add(record: QueueRecord): void {
    if (record.source !== this.#source) return;
    const type = payloadTypeOf(record);
    if (type === undefined) return;
    const waiting = this.#waiting.get(record.packet);
    if (record.event === 'mark') return this.#mark(record, waiting);
    if (record.event === 'enqueue') {
      this.#waiting.set(record.packet, this.#append(record, type, Math.max(0, record.queuePackets - 1), null));
    } else if (record.event === 'dequeue') {
      if (waiting === undefined) return; // enqueued before the log began
      this.#leave(record, waiting);
      this.#left = { packet: record.packet, place: waiting };
    } else {
      if (waiting !== undefined) this.#leave(record, waiting);
      const place =
        waiting ??
        (this.#left?.packet === record.packet ? this.#left.place : this.#append(record, type, record.queuePackets, 0));
      place.line.dropped.push({ index: place.index, reason: record.reason! });
    }
  }

  #mark({ packet, service }: QueueRecord, waiting: Place | undefined): void {
    if (waiting !== undefined) waiting.line.marked?.push(waiting.index);
    else if (service !== undefined) this.#markedFirst.set(packet, service & 3);
  }

  #leave(record: QueueRecord, { line, index }: Place): void {
    line.sojournMs[index] = rounded(record.sojournNs / 1e6);
    this.#waiting.delete(record.packet);
  }

  #append(record: QueueRecord, type: number, queuePackets: number, sojournMs: number | null): Place {
    const timeMs = record.timeNs / 1e6 + this.#unixOffsetMs;
    let line = this.lines.at(-1);
    if (line === undefined || line.sequences.length === mostPackets) {
      line = {
        timeMs: rounded(timeMs),
        payloadTypes: [],
        sequences: [],
        offeredMs: [],
        sojournMs: [],
        queuePackets: [],
        dropped: [],
        ...(record.service === undefined ? {} : { ecn: [], marked: [] }),
      };
      this.lines.push(line);
    }
    const index = line.sequences.length;
    line.payloadTypes.push(type);
    line.sequences.push(record.transportSecond & 0xffff);
    line.offeredMs.push(rounded(timeMs - line.timeMs));
    line.sojournMs.push(sojournMs);
    line.queuePackets.push(queuePackets);
    if (record.service !== undefined) {
      const before = this.#markedFirst.get(record.packet);
      this.#markedFirst.delete(record.packet);
      line.ecn?.push(before ?? record.service & 3);
      if (before !== undefined) line.marked?.push(index);
    }
    return { line, index };
  }
}

/** Yields the records, and adds each of them to all of `readers`. */
export function* alsoTo(
  readers: readonly { add(record: QueueRecord): void }[],
  records: Iterable<QueueRecord>,
): Generator<QueueRecord> {
  for (const record of records) {
    for (const reader of readers) reader.add(record);
    yield record;
  }
}
