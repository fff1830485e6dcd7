/**
 * Fate of each sent packet at the bottleneck: the records of the queue (queue.media.jsonl) joined with those of the
 * sender (packets.jsonl).
 *
 * Queue and sender number packets by RTP stream: media, retransmissions (with padding), error correction and voice
 * separately.
 * The queue identifies a stream by its payload type, the sender identifies it by its kind. The streams are matched by
 * time, because a packet reaches the queue shortly after it was sent. Sequence numbers are unwrapped from the first
 * packet of the stream, both those of the queue and those of the sender.
 */
import { type DropReason, dropReasons } from '../../../../core/vocabulary/drop-reason.ts';
import { kindPlace } from '../../../../core/vocabulary/packet-kind.ts';
import type { PacketTable } from '../../../record/packet-table.ts';
import type { MediaQueueRecord } from '../../../record/series/queue.media.ts';
import type { LastCopy } from './frame-line.ts';

const { media, retransmission, padding, protection, voice } = kindPlace;

/** Numbers for the fate of a packet. Numbers from 3 on are reasons for a drop. */
export const fate = { unknown: 0, waiting: 1, left: 2 } as const;
const firstReason = 3;

/** Fate of every packet of a packet table. Row i of every column belongs to packet i of the table. */
export type PacketFates = {
  fate: Uint8Array;
  /** Arrival of the packet at the queue, ms; NaN if the queue log does not have the packet. */
  offeredMs: Float64Array;
  /** Time of the packet in the queue, ms; NaN if the packet never left the queue. */
  sojournMs: Float64Array;
  /** Number of packets that were in the queue when the packet arrived. */
  queuePackets: Uint32Array;
  /** Place of the bottleneck in the row, from 1. */
  hop: Uint8Array;
};

/** Returns the reason for a drop from the number of a packet's fate; undefined for other fates. */
export function reasonOf(number: number): DropReason | undefined {
  return dropReasons[number - firstReason];
}

/** Returns what the queue log has of a packet; null without an entry. Infinity for a packet that never left. */
export function queueOf(fates: PacketFates | null, row: number): LastCopy['queue'] {
  const offeredMs = fates?.offeredMs[row] ?? NaN;
  if (fates === null || Number.isNaN(offeredMs)) return null;
  const sojournMs = fates.sojournMs[row]!;
  const packets = fates.queuePackets[row]!;
  return { offeredMs, sojournMs: Number.isNaN(sojournMs) ? Infinity : sojournMs, packets, ...hopOf(fates, row) };
}

/** Returns the place of the bottleneck that decided a packet's fate; nothing for the first one. */
export function hopOf(fates: PacketFates | null, row: number): { hop?: number } {
  const hop = fates?.hop[row] ?? 1;
  return hop === 1 ? {} : { hop };
}

/**
 * Longest time of a packet from the sender to the queue, ms: the longest delay that a link can have, plus a pause of
 * the sender.
 */
const longestToQueueMs = 15_000;
/** Largest difference between two clocks of one machine, ms. */
const clockSlackMs = 5;
const samplePackets = 500;

/**
 * Returns the unwrapped number of a packet from its 16-bit number `raw` and from `last`, the unwrapped number of the
 * packet before it.
 */
const unwrapped = (last: number, raw: number) => last + (((raw - last) << 16) >> 16);

/** Table rows of the packets of one RTP stream, by unwrapped sequence number. */
class StreamRows {
  readonly #first: number;
  readonly #rows: Int32Array;

  private constructor(first: number, rows: Int32Array) {
    this.#first = first;
    this.#rows = rows;
  }

  /** Returns the rows of the packets whose kind passes `isOf`; undefined if there are none. */
  static of({ length, kind, rtpSequence }: PacketTable, isOf: (kind: number) => boolean): StreamRows | undefined {
    let [first, last, count] = [-1, 0, 0];
    for (let row = 0; row < length; row++) {
      if (!isOf(kind[row]!)) continue;
      last = first < 0 ? rtpSequence[row]! : unwrapped(last, rtpSequence[row]!);
      if (first < 0) first = last;
      count = Math.max(count, last - first + 1);
    }
    if (first < 0) return undefined;
    const rows = new Int32Array(count).fill(-1);
    last = first;
    for (let row = 0; row < length; row++) {
      if (!isOf(kind[row]!)) continue;
      last = unwrapped(last, rtpSequence[row]!);
      if (last >= first) rows[last - first] = row;
    }
    return new StreamRows(first, rows);
  }

  get first(): number {
    return this.#first;
  }

  /** Returns the table row of the packet with an unwrapped number; -1 if the table has no such packet. */
  rowOf(number: number): number {
    return this.#rows[number - this.#first] ?? -1;
  }
}

/** Returns how many of a payload type's first packets match packets of a stream by number and time. */
function likeness(
  packets: readonly { sequence: number; offeredMs: number }[],
  stream: StreamRows,
  { sentMs }: PacketTable,
): number {
  let number = stream.first;
  return packets.filter(({ sequence, offeredMs }) => {
    number = unwrapped(number, sequence);
    const row = stream.rowOf(number);
    const wayMs = row < 0 ? NaN : offeredMs - sentMs[row]!;
    return wayMs > -clockSlackMs && wayMs < longestToQueueMs;
  }).length;
}

/** Returns the first packets of each payload type. */
function samples(lines: readonly MediaQueueRecord[]): Map<number, { sequence: number; offeredMs: number }[]> {
  const found = new Map<number, { sequence: number; offeredMs: number }[]>();
  for (const { timeMs, payloadTypes, sequences, offeredMs } of lines) {
    for (const [i, type] of payloadTypes.entries()) {
      const packets = found.get(type) ?? [];
      if (packets.length === 0) found.set(type, packets);
      if (packets.length < samplePackets) packets.push({ sequence: sequences[i]!, offeredMs: timeMs + offeredMs[i]! });
    }
  }
  return found;
}

/** Finds the stream of each payload type. */
function streamsByType(table: PacketTable, lines: readonly MediaQueueRecord[]): Map<number, StreamRows> {
  const byType = new Map<number, StreamRows>();
  const types = samples(lines);
  for (const stream of [
    StreamRows.of(table, kind => kind === media),
    StreamRows.of(table, kind => kind === retransmission || kind === padding),
    StreamRows.of(table, kind => kind === protection),
    StreamRows.of(table, kind => kind === voice),
  ]) {
    if (stream === undefined) continue;
    const [best] = [...types]
      .filter(([type]) => !byType.has(type))
      .map(([type, packets]) => ({ type, alike: likeness(packets, stream, table) }))
      .sort((a, b) => b.alike - a.alike);
    if (best !== undefined && best.alike > 0) byType.set(best.type, stream);
  }
  return byType;
}

/**
 * Returns the fate of each packet of the table at one bottleneck. Null if the trial has no queue log, or if the log has
 * none of the packets. `lines`: those of one bottleneck.
 */
export function packetFates(table: PacketTable, lines: readonly MediaQueueRecord[]): PacketFates | null {
  const streams = streamsByType(table, lines);
  if (streams.size === 0) return null;
  const { length } = table;
  const fates: PacketFates = {
    fate: new Uint8Array(length),
    offeredMs: new Float64Array(length).fill(NaN),
    sojournMs: new Float64Array(length).fill(NaN),
    queuePackets: new Uint32Array(length),
    hop: new Uint8Array(length).fill(lines[0]?.hop ?? 1),
  };
  const last = new Map([...streams].map(([type, stream]) => [type, stream.first]));
  for (const { timeMs, payloadTypes, sequences, offeredMs, sojournMs, queuePackets, dropped } of lines) {
    const reasons = new Map(dropped.map(({ index, reason }) => [index, firstReason + dropReasons.indexOf(reason)]));
    for (let i = 0; i < payloadTypes.length; i++) {
      const type = payloadTypes[i]!;
      const stream = streams.get(type);
      if (stream === undefined) continue;
      const number = unwrapped(last.get(type)!, sequences[i]!);
      last.set(type, number);
      const row = stream.rowOf(number);
      if (row < 0 || fates.fate[row] === fate.left) continue; // the link duplicated the packet, and the first copy left
      fates.fate[row] = reasons.get(i) ?? (sojournMs[i] === null ? fate.waiting : fate.left);
      fates.offeredMs[row] = timeMs + offeredMs[i]!;
      fates.sojournMs[row] = sojournMs[i] ?? NaN;
      fates.queuePackets[row] = queuePackets[i]!;
    }
  }
  return fates;
}
