/**
 * Resolves transport-wide feedback against what was sent (the part that libwebrtc's
 * transport_feedback_adapter.cc plays): from sequence numbers to packets with send and arrival times.
 */
import type { Feedback, PacketResult, SentPacket } from '../congestion/controller.ts';
import type { TransportFeedback } from '../rtp/transport-feedback.ts';
import { Unwrapper } from '../rtp/sequence.ts';

/** Packets are remembered for so long after they were sent, ms. */
const keepMs = 60_000;
/** Range of the 24-bit reference time, us (units of 64 ms). */
const referenceRangeUs = 2 ** 24 * 64_000;

type Entry = { packet: SentPacket; inFlight: boolean; reported: 'not' | 'missing' | 'received' };

export class SentPackets {
  readonly #entries = new Map<number, Entry>();
  readonly #sequences = new Unwrapper(16);
  #inFlightBytes = 0;
  /** The oldest that is remembered. Counted: to iterate over a Map costs as much as was deleted from it. */
  #oldest = 0;
  /** Everything up to this sequence is out of flight. */
  #settled = -1;
  #referenceUs: number | undefined;
  #referenceOffsetUs = 0;

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** Enters a packet as sent, with the number after the last one's; returns it with the bytes in flight. */
  add(packet: Omit<SentPacket, 'inFlightBytes'>): SentPacket {
    this.#inFlightBytes += packet.sizeBytes;
    this.#sequences.unwrap(packet.sequence & 0xffff);
    const sent = { ...packet, inFlightBytes: this.#inFlightBytes };
    if (this.#entries.size === 0) this.#oldest = packet.sequence;
    this.#entries.set(packet.sequence, { packet: sent, inFlight: true, reported: 'not' });
    for (let entry = this.#entries.get(this.#oldest); entry !== undefined && packet.sentMs - entry.packet.sentMs > keepMs; entry = this.#entries.get(this.#oldest)) {
      this.#land(entry);
      this.#entries.delete(this.#oldest++);
    }
    return sent;
  }

  /**
   * The packets a message tells something new of; undefined when there are none. A packet that is reported missing
   * twice is missing once, which libwebrtc counts again. Numbers that were not sent are the other side's mistake.
   */
  resolve(feedback: TransportFeedback, arrivedMs: number): Feedback | undefined {
    const packets: PacketResult[] = [];
    for (const { sequence: wrapped, receivedUs } of feedback.packets) {
      const sequence = this.#sequences.peek(wrapped);
      const entry = this.#entries.get(sequence);
      const report = receivedUs === null ? 'missing' : 'received';
      if (entry === undefined || entry.reported === 'received' || entry.reported === report) continue;
      entry.reported = report;
      const receivedMs = receivedUs === null ? null : this.#unwrapReferenceUs(receivedUs) / 1000;
      packets.push({ ...entry.packet, receivedMs });
    }
    const newest = packets.at(-1);
    if (newest === undefined) return undefined;
    this.#settle(newest.sequence);
    return { arrivedMs, packets, inFlightBytes: this.#inFlightBytes };
  }

  /** Packets before the newest reported one are no longer in flight, even where their report was lost. */
  #settle(sequence: number): void {
    for (let i = this.#settled + 1; i <= sequence; i++) {
      const entry = this.#entries.get(i);
      if (entry !== undefined) this.#land(entry);
    }
    this.#settled = Math.max(this.#settled, sequence);
  }

  #land(entry: Entry): void {
    if (entry.inFlight) this.#inFlightBytes -= entry.packet.sizeBytes;
    entry.inFlight = false;
  }

  /** The reference time wraps every 12 days; a step of more than half the range is a wrap. */
  #unwrapReferenceUs(us: number): number {
    if (this.#referenceUs !== undefined) {
      const step = us - this.#referenceUs;
      if (step < -referenceRangeUs / 2) this.#referenceOffsetUs += referenceRangeUs;
      else if (step > referenceRangeUs / 2) this.#referenceOffsetUs -= referenceRangeUs;
    }
    this.#referenceUs = us;
    return us + this.#referenceOffsetUs;
  }
}
