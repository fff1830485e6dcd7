/**
 * What became of each RTP packet of one sender at the queue, in the order in which they came to it. Pure: records in,
 * columns out.
 *
 * RTP is distinguished from RTCP on the same port by its payload type (RFC 5761, section 4: RTCP has 64 to 95), and
 * from STUN and DTLS by its version (RFC 7983, section 7). The log holds no SSRC; each payload type is a stream of its
 * own.
 */
import type { DropReason } from '../../core/vocabulary/drop-reason.ts';
import { udpProtocol } from '../../core/vocabulary/udp.ts';
import type { QueueRecord } from './format.ts';

/** Up to 1000 packets, as columns of equal length. */
export type MediaQueueLine = {
  /** When the first of them came to the queue, Unix ms. */
  timeMs: number;
  /** RTP payload type: media, or retransmissions and padding, whose sequence numbers are their own. */
  payloadTypes: number[];
  /** RTP sequence numbers. */
  sequences: number[];
  /** When each came to the queue, after `timeMs`. */
  offeredMs: number[];
  /** Time in the queue; 0 where it was refused at the door or lost before it, null where it never left. */
  sojournMs: (number | null)[];
  /** Packets of all senders that were in the queue when it came. */
  queuePackets: number[];
  /** Those of this line that were dropped: the others left. */
  dropped: { index: number; reason: DropReason }[];
};

const rtpVersion = 2;
const mostPackets = 1000;

type Place = { line: MediaQueueLine; index: number };

/** The log's times are kept to the microsecond. */
const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

/** Payload type of an RTP packet's record; undefined for everything else. */
function payloadTypeOf({ protocol, transportSecond }: QueueRecord): number | undefined {
  if (protocol !== udpProtocol || transportSecond >>> 30 !== rtpVersion) return undefined;
  const type = (transportSecond >>> 16) & 0x7f;
  return type >= 64 && type <= 95 ? undefined : type;
}

/** Takes the records of a log one after the other. */
export class MediaFates {
  readonly lines: MediaQueueLine[] = [];
  readonly #source: number | null;
  readonly #unixOffsetMs: number;
  readonly #waiting = new Map<number, Place>();
  /** The packet that left last: a loss behind the queue is told right after. */
  #left: { packet: number; place: Place } | undefined;

  /**
   * `source`: the sender's address as the records have it; null: nobody's. A record's time is `timeNs` / 1e6 +
   * `unixOffsetMs`.
   */
  constructor(source: number | null, unixOffsetMs: number) {
    this.#source = source;
    this.#unixOffsetMs = unixOffsetMs;
  }

  add(record: QueueRecord): void {
    if (record.source !== this.#source) return;
    const type = payloadTypeOf(record);
    if (type === undefined || record.event === 'mark') return;
    const waiting = this.#waiting.get(record.packet);
    if (record.event === 'enqueue') {
      this.#waiting.set(record.packet, this.#append(record, type, Math.max(0, record.queuePackets - 1), null));
    } else if (record.event === 'dequeue') {
      if (waiting === undefined) return; // it came before the log began
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
      };
      this.lines.push(line);
    }
    const index = line.sequences.length;
    line.payloadTypes.push(type);
    line.sequences.push(record.transportSecond & 0xffff);
    line.offeredMs.push(rounded(timeMs - line.timeMs));
    line.sojournMs.push(sojournMs);
    line.queuePackets.push(queuePackets);
    return { line, index };
  }
}

/** The records on their way to somebody else. */
export function* alsoTo(media: readonly MediaFates[], records: Iterable<QueueRecord>): Generator<QueueRecord> {
  for (const record of records) {
    for (const each of media) each.add(record);
    yield record;
  }
}
