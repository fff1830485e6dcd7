/**
 * Assigns feedback to the packets sent (like libwebrtc's transport_feedback_adapter.cc). Feedback has sequence numbers,
 * transport-wide or of one stream; the result has packets with send and arrival times.
 */
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { Feedback, PacketResult, SentPacket } from '../congestion/controller.ts';
import { type CongestionFeedback, earlierOffset, type PacketArrival } from '../rtp/congestion-feedback.ts';
import { Unwrapper } from '../rtp/sequence.ts';
import type { TransportFeedback } from '../rtp/transport-feedback.ts';

/** Time after sending for which a packet is remembered, ms. */
const keepMs = 60_000;
/** Range of the 24-bit reference time, us. The unit of the reference time is 64 ms. */
const referenceRangeUs = 2 ** 24 * 64_000;
/**
 * Units per ms: of the report's timestamp (1/65536 s), and of the arrival offsets (1/1024 s) (RFC 8888, section 3.1).
 */
const timestampPerMs = 65.536;
const offsetPerMs = 1.024;

/** Stream of a packet, and RTP sequence number in this stream. */
type RtpNumber = { ssrc: number; sequence: number };

type Arrival = { receivedMs: number; ecn?: EcnField };

type Entry = { packet: SentPacket; inFlight: boolean; reported: 'not' | 'missing' | 'received' };

/** Numbers that all packets of a connection share, whatever stream they belong to. */
export type TransportNumbers = {
  readonly sentPackets: SentPackets;
  /** Returns the transport-wide sequence number of the packet that is sent next. */
  takeNumber(): number;
};

export class SentPackets {
  readonly #entries = new Map<number, Entry>();
  readonly #sequences = new Unwrapper(16);
  readonly #timestamps = new Unwrapper(32);
  /** Transport-wide number of the newest packet, by SSRC and 16-bit RTP sequence number. */
  readonly #streams = new Map<number, Map<number, number>>();
  #inFlightBytes = 0;
  /**
   * Transport-wide number of the oldest remembered packet. It is counted separately, because iterating over a Map also
   * visits deleted entries.
   */
  #oldest = 0;
  /** Sequence number up to which no packet is in flight any more. */
  #settled = -1;
  #referenceUs: number | undefined;
  #referenceOffsetUs = 0;

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /**
   * Adds a sent packet; returns the packet with the bytes in flight. The sequence number must follow that of the
   * previous packet.
   */
  add(packet: Omit<SentPacket, 'inFlightBytes'>, rtp?: RtpNumber): SentPacket {
    this.#inFlightBytes += packet.sizeBytes;
    if (rtp !== undefined) this.#stream(rtp.ssrc).set(rtp.sequence, packet.sequence);
    this.#sequences.unwrap(packet.sequence & 0xffff);
    const sent = { ...packet, inFlightBytes: this.#inFlightBytes };
    if (this.#entries.size === 0) this.#oldest = packet.sequence;
    this.#entries.set(packet.sequence, { packet: sent, inFlight: true, reported: 'not' });
    for (
      let entry = this.#entries.get(this.#oldest);
      entry !== undefined && packet.sentMs - entry.packet.sentMs > keepMs;
      entry = this.#entries.get(this.#oldest)
    ) {
      this.#land(entry);
      this.#entries.delete(this.#oldest++);
    }
    return sent;
  }

  /**
   * Returns the packets on which transport-wide feedback has a new report; undefined if there are none. A packet that
   * is reported missing twice counts once (libwebrtc counts it again). Numbers that were never sent are ignored.
   */
  resolve(feedback: TransportFeedback, arrivedMs: number): Feedback | undefined {
    const packets: PacketResult[] = [];
    for (const { sequence, receivedUs } of feedback.packets) {
      const arrival = (): Arrival => ({ receivedMs: this.#unwrapReferenceUs(receivedUs!) / 1000 });
      this.#report(packets, this.#sequences.peek(sequence), receivedUs === null ? null : arrival);
    }
    return this.#feedback(packets, arrivedMs);
  }

  /**
   * Returns the packets on which feedback by RFC 8888 has a new report; undefined if there are none. Messages may
   * overlap: a packet once reported as received stays received.
   */
  resolveStreams({ streams, timestamp }: CongestionFeedback, arrivedMs: number): Feedback | undefined {
    const packets: PacketResult[] = [];
    const timestampMs = this.#timestamps.unwrap(timestamp) / timestampPerMs;
    for (const { ssrc, packets: reported } of streams) {
      const sequences = this.#streams.get(ssrc);
      for (const { sequence, arrival } of reported) {
        const sent = sequences?.get(sequence);
        if (sent !== undefined)
          this.#report(packets, sent, arrival === null ? null : () => streamArrival(arrival, timestampMs));
      }
    }
    packets.sort((a, b) => a.sequence - b.sequence);
    return this.#feedback(packets, arrivedMs);
  }

  #stream(ssrc: number): Map<number, number> {
    const stream = this.#streams.get(ssrc) ?? new Map<number, number>();
    this.#streams.set(ssrc, stream);
    return stream;
  }

  /**
   * Adds a packet to `packets` if the report on it is new. `arrival`: called only for a new report; null for a missing
   * packet.
   */
  #report(packets: PacketResult[], sequence: number, arrival: (() => Arrival) | null): void {
    const entry = this.#entries.get(sequence);
    const report = arrival === null ? 'missing' : 'received';
    if (entry === undefined || entry.reported === 'received' || entry.reported === report) return;
    entry.reported = report;
    packets.push({ ...entry.packet, ...(arrival === null ? { receivedMs: null } : arrival()) });
  }

  #feedback(packets: PacketResult[], arrivedMs: number): Feedback | undefined {
    const newest = packets.at(-1);
    if (newest === undefined) return undefined;
    this.#settle(newest.sequence);
    return { arrivedMs, packets, inFlightBytes: this.#inFlightBytes };
  }

  /** Removes all packets up to `sequence` from the bytes in flight, even if the reports on them were lost. */
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

  /** Unwraps the reference time, which wraps every 12 days. A step of more than half the range counts as a wrap. */
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

/**
 * Converts an arrival to ms on the receiver's clock. The offset "earlier" counts as one unit more than the longest
 * offset, "unknown" counts as the report's timestamp.
 */
function streamArrival({ offset, ecn }: PacketArrival, timestampMs: number): Arrival {
  const units = offset === 'unknown' ? 0 : offset === 'earlier' ? earlierOffset : offset;
  return { receivedMs: timestampMs - units / offsetPerMs, ecn };
}
