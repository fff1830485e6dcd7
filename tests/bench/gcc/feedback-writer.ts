/**
 * Transport-wide feedback as a receiver writes it (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1):
 * what arrived since the last report.
 */
import { Unwrapper } from '../../../server/rtp/sequence.ts';

/** Unit of a delta, us; of the reference time, us. */
const deltaUs = 250;
const referenceUs = 64_000;
/** Statuses in a vector chunk of two-bit symbols. */
const perChunk = 7;
/** Most statuses in one report: few enough for one packet. */
const mostStatuses = 400;

export class FeedbackWriter {
  readonly #senderSsrc: number;
  readonly #sequences = new Unwrapper(16);
  readonly #arrivals = new Map<number, number>();
  /** The first sequence number that no report has told of. */
  #next: number | undefined;
  #count = 0;

  constructor(senderSsrc: number) {
    this.#senderSsrc = senderSsrc;
  }

  onArrival(sequence: number, arrivedUs: number): void {
    const unwrapped = this.#sequences.unwrap(sequence);
    this.#next ??= unwrapped;
    if (unwrapped < this.#next) this.#next = unwrapped; // late: reported again from here on
    this.#arrivals.set(unwrapped, Math.round(arrivedUs));
  }

  /** The report that is due; undefined where nothing has arrived since the last. */
  take(mediaSsrc: number): Buffer | undefined {
    const from = this.#next;
    if (from === undefined || this.#arrivals.size === 0) return undefined;
    const last = Math.min(Math.max(...this.#arrivals.keys()), from + mostStatuses - 1);
    const first = Math.min(...this.#arrivals.values());
    const reference = Math.floor(first / referenceUs);
    let beforeUs = reference * referenceUs;
    const symbols: number[] = [];
    const deltas: Buffer[] = [];
    for (let sequence = from; sequence <= last; sequence++) {
      const arrivedUs = this.#arrivals.get(sequence);
      if (arrivedUs === undefined) {
        symbols.push(0);
        continue;
      }
      const units = Math.round((arrivedUs - beforeUs) / deltaUs);
      beforeUs += units * deltaUs;
      const isSmall = units >= 0 && units <= 0xff;
      symbols.push(isSmall ? 1 : 2);
      const delta = Buffer.alloc(isSmall ? 1 : 2);
      if (isSmall) delta.writeUInt8(units);
      else delta.writeInt16BE(Math.max(-0x8000, Math.min(0x7fff, units)));
      deltas.push(delta);
      this.#arrivals.delete(sequence);
    }
    this.#next = last + 1;
    return this.#packet(mediaSsrc, from, reference, symbols, Buffer.concat(deltas));
  }

  #packet(mediaSsrc: number, from: number, reference: number, symbols: readonly number[], deltas: Buffer): Buffer {
    const chunks = Buffer.alloc(Math.ceil(symbols.length / perChunk) * 2);
    for (let at = 0; at < chunks.length / 2; at++) {
      let chunk = 0b11 << 14;
      for (let k = 0; k < perChunk; k++) chunk |= (symbols[at * perChunk + k] ?? 0) << (12 - 2 * k);
      chunks.writeUInt16BE(chunk, at * 2);
    }
    const body = Buffer.concat([chunks, deltas]);
    const length = Math.ceil((20 + body.length) / 4) * 4;
    const packet = Buffer.alloc(length);
    const padding = length - 20 - body.length;
    packet.writeUInt8(0x80 | (padding > 0 ? 0x20 : 0) | 15, 0);
    packet.writeUInt8(205, 1);
    packet.writeUInt16BE(length / 4 - 1, 2);
    packet.writeUInt32BE(this.#senderSsrc, 4);
    packet.writeUInt32BE(mediaSsrc, 8);
    packet.writeUInt16BE(from & 0xffff, 12);
    packet.writeUInt16BE(symbols.length, 14);
    packet.writeUIntBE(reference & 0xffffff, 16, 3);
    packet.writeUInt8(this.#count++ & 0xff, 19);
    body.copy(packet, 20);
    if (padding > 0) packet.writeUInt8(padding, length - 1);
    return packet;
  }
}
