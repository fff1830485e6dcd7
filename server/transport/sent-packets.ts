/**
 * Resolves feedback to the packets sent (like libwebrtc's transport_feedback_adapter.cc): from sequence numbers,
 * transport-wide or of one stream, to packets with send and arrival times.
 */
import type { EcnMark, Feedback, PacketResult, SentPacket } from '../congestion/controller.ts';
import { type CongestionFeedback, earlierOffset, type PacketArrival } from '../rtp/congestion-feedback.ts';
import { Unwrapper } from '../rtp/sequence.ts';
import type { TransportFeedback } from '../rtp/transport-feedback.ts';

/** Time for which a packet is remembered after it was sent, ms. */
const keepMs = 60_000;
/** Range of the 24-bit reference time, us (units of 64 ms). */
const referenceRangeUs = 2 ** 24 * 64_000;
/** Units per ms of the report's timestamp and of its offsets (RFC 8888, section 3.1). */
const timestampPerMs = 65.536;
const offsetPerMs = 1.024;

/** Sequence number of a packet within its stream. */
type RtpNumber = { ssrc: number; sequence: number };

type Arrival = { receivedMs: number; ecn?: EcnMark };

type Entry = { packet: SentPacket; inFlight: boolean; reported: 'not' | 'missing' | 'received' };

export class SentPackets {
  readonly #entries = new Map<number, Entry>();
  readonly #sequences = new Unwrapper(16);
  readonly #timestamps = new Unwrapper(32);
  /** SSRC -> 16-bit RTP sequence number -> transport-wide number of the newest packet with that RTP number. */
  readonly #streams = new Map<number, Map<number, number>>();
  #inFlightBytes = 0;
  /**
   * Number of the oldest remembered packet. A separate count, since iterating over a Map also visits its deleted
   * entries.
   */
  #oldest = 0;
  /** No packet up to this sequence number is in flight. */
  #settled = -1;
  #referenceUs: number | undefined;
  #referenceOffsetUs = 0;

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** Adds a sent packet, whose number follows the previous one; returns it with the bytes in flight. */
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
   * Returns the packets with a new report in transport-wide feedback; undefined if there are none. A packet that is
   * reported missing twice counts once; libwebrtc counts it again. Numbers that were never sent are ignored.
   */
  resolve(feedback: TransportFeedback, arrivedMs: number): Feedback | undefined {
    const packets: PacketResult[] = [];
    for (const { sequence, receivedUs } of feedback.packets) {
      const arrival = (): Arrival => ({ receivedMs: this.#unwrapReferenceUs(receivedUs!) / 1000 });
      this.#report(packets, this.#sequences.peek(sequence), receivedUs === null ? null : arrival);
    }
    return this.#feedback(packets, arrivedMs);
  }

  /** Does the same for feedback by RFC 8888. Its reports may overlap: a packet once received stays received. */
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

  /** Adds a packet to the results if its report is new. `arrival` is called only then; null for a missing packet. */
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

  /** Takes all packets up to the newest reported one out of flight, even if their reports were lost. */
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

  /** Unwraps the reference time, which wraps every 12 days. A step of more than half the range is a wrap. */
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
 * Converts an arrival to ms. "earlier" counts as one unit beyond the longest offset, "unknown" as the report's
 * timestamp.
 */
function streamArrival({ offset, ecn }: PacketArrival, timestampMs: number): Arrival {
  const units = offset === 'unknown' ? 0 : offset === 'earlier' ? earlierOffset : offset;
  return { receivedMs: timestampMs - units / offsetPerMs, ecn };
}
