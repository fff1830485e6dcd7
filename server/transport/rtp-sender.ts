/**
 * Sends an RTP stream and the streams of its retransmissions and error correction: assigns sequence numbers, writes
 * header extensions, keeps packets for retransmission.
 *
 * Every packet, media, repair or padding, gets the next transport-wide sequence number when it is sent. Feedback
 * therefore lists packets in the order in which they were on the wire.
 */
import { randomInt } from 'node:crypto';
import type { SentPacket } from '../congestion/controller.ts';
import type { PacedPacket } from '../pacing/pacer.ts';
import { FlexfecEncoder } from '../rtp/flexfec.ts';
import { extensionsOf, extensionUri, playoutDelay } from '../rtp/header-extensions.ts';
import { PacketHistory, retransmissionPayload, type StoredPacket } from '../rtp/history.ts';
import { type MediaConnection, overheadBytes, type RtpFields, type StreamParameters } from './connection.ts';
import { rtpBytes } from './rtp-header.ts';
import { SentPackets, type TransportNumbers } from './sent-packets.ts';

/** A packet that passes through the pacer. `stored`: packet of the history that a retransmission repeats. */
export type OutgoingPacket = PacedPacket & {
  payload: Buffer;
  rtpTimestamp: number;
  marker: boolean;
  /** Number of the packet's frame, counted from the start of the stream. */
  frame: number;
} & ({ kind: 'media' | 'protection' } | { kind: 'retransmission'; stored: StoredPacket });

type Transmitted = Pick<OutgoingPacket, 'payload' | 'rtpTimestamp' | 'marker' | 'frame'> & { kind: SentPacket['kind'] };

/**
 * Settings of the error correction. `ratio`: repair packets per media packet. `onRepair`: called with each repair
 * packet to send.
 */
type Protection = { ratio: number; onRepair(packet: OutgoingPacket): void };

/** A packet that has been sent, for the record and the controller. */
export type Departure = {
  sent: SentPacket;
  rtpSequence: number;
  rtpTimestamp: number;
  frame: number;
  payloadBytes: number;
};

/** Time for which packets are kept for retransmission, ms: longer than the longest queue in any study, 2 s. */
const historyMs = 3000;
/**
 * Number of packets at the start that carry the stream id (MID). The browser needs the id until it has bound the SSRCs
 * to the stream, which takes less than a second.
 */
const midPackets = 500;
/** Largest padding payload, bytes. The length of the padding is one byte, so the limit is 255. */
const maxPaddingBytes = 224;
const noFrame = -1;

type RtpStream = Pick<RtpFields, 'ssrc' | 'payloadType'> & { nextSequence: number };

/**
 * Returns a stream without packets. Its sequence numbers start below half the range, so that SRTP's rollover counter is
 * 0 at the first packet (RFC 3711, 3.3.1).
 */
const rtpStream = (ssrc: number, payloadType: number): RtpStream => ({
  ssrc,
  payloadType,
  nextSequence: randomInt(2 ** 15),
});

type RtpSenderCounters = {
  /** Number of packets sent, of all kinds. */
  packets: number;
  bytes: number;
  /** Number of media packets without retransmissions, as sender reports count them. */
  mediaPackets: number;
  payloadBytes: number;
  retransmissions: number;
  paddingBytes: number;
  protectionPackets: number;
};

export class RtpSender implements TransportNumbers {
  readonly sentPackets = new SentPackets();
  readonly counters: RtpSenderCounters = {
    packets: 0,
    bytes: 0,
    mediaPackets: 0,
    payloadBytes: 0,
    retransmissions: 0,
    paddingBytes: 0,
    protectionPackets: 0,
  };
  readonly #peer: MediaConnection;
  readonly #stream: StreamParameters;
  readonly #media: RtpStream;
  /** Retransmissions and padding; undefined if the browser does not accept retransmissions. */
  readonly #rtx: RtpStream | undefined;
  readonly #history = new PacketHistory(historyMs);
  readonly #playoutDelay: Buffer | undefined;
  readonly #onDeparture: (departure: Departure) => void;
  readonly #protection: { stream: RtpStream; encoder: FlexfecEncoder; onRepair: Protection['onRepair'] } | undefined;
  /**
   * Ids of the extensions that are written when a packet leaves. Repair packets are computed earlier, with zeros in
   * these extensions.
   */
  readonly #writtenLate: ReadonlySet<number>;
  #transportSequence = 0;
  #lastTimestamp = 0;

  /**
   * Makes a sender. `playoutDelayMs`: bounds that the receiver's playout delay must keep; if undefined, the receiver
   * chooses the delay. `protection`: used only if the browser accepts error correction.
   */
  constructor(
    peer: MediaConnection,
    playoutDelayMs: { minMs: number; maxMs: number } | undefined,
    onDeparture: (departure: Departure) => void,
    protection?: Protection,
  ) {
    this.#peer = peer;
    this.#stream = peer.stream;
    this.#writtenLate = new Set(
      [extensionUri.absoluteSendTime, extensionUri.transportSequence].flatMap(
        uri => this.#stream.extensions.get(uri) ?? [],
      ),
    );
    this.#playoutDelay =
      playoutDelayMs === undefined ? undefined : playoutDelay(playoutDelayMs.minMs, playoutDelayMs.maxMs);
    this.#onDeparture = onDeparture;
    const { ssrc, payloadType, rtxSsrc, rtxPayloadType, protection: taken } = this.#stream;
    this.#media = rtpStream(ssrc, payloadType);
    this.#rtx = rtxPayloadType === undefined ? undefined : rtpStream(rtxSsrc, rtxPayloadType);
    this.#protection =
      protection === undefined || protection.ratio === 0 || taken === undefined
        ? undefined
        : {
            stream: rtpStream(taken.ssrc, taken.payloadType),
            encoder: new FlexfecEncoder(ssrc, protection.ratio),
            onRepair: protection.onRepair,
          };
  }

  get ssrc(): number {
    return this.#stream.ssrc;
  }

  takeNumber(): number {
    return this.#transportSequence++;
  }

  send(packet: OutgoingPacket, nowMs: number, probe: number | undefined): void {
    switch (packet.kind) {
      case 'retransmission':
        this.#transmit(this.#rtx!, { ...packet, payload: retransmissionPayload(packet.stored) }, nowMs, probe);
        this.#history.resent(packet.stored, nowMs);
        this.counters.retransmissions++;
        return;
      case 'protection':
        this.#transmit(this.#protection!.stream, packet, nowMs, probe);
        this.counters.protectionPackets++;
        return;
      case 'media': {
        const { payload, rtpTimestamp, marker } = packet;
        const { fields } = this.#transmit(this.#media, packet, nowMs, probe);
        this.#lastTimestamp = rtpTimestamp;
        this.#history.store(fields.sequence, payload, rtpTimestamp, marker, nowMs);
        this.counters.mediaPackets++;
        this.counters.payloadBytes += payload.length;
        this.#protect(fields, packet, nowMs);
      }
    }
  }

  /**
   * Adds a media packet to its error correction group, and passes the repair packets that are finished to `onRepair`.
   */
  #protect(fields: RtpFields, { payload, marker, rtpTimestamp }: OutgoingPacket, nowMs: number): void {
    if (this.#protection === undefined) return;
    const extensions = fields.extensions.map(({ id, payload: bytes }) => ({
      id,
      payload: this.#writtenLate.has(id) ? Buffer.alloc(bytes.length) : bytes,
    }));
    for (const repair of this.#protection.encoder.add(
      { sequence: fields.sequence, bytes: rtpBytes({ ...fields, extensions }, payload) },
      marker,
    )) {
      this.#protection.onRepair({
        kind: 'protection',
        payload: repair,
        sizeBytes: repair.length + overheadBytes,
        queuedMs: nowMs,
        rtpTimestamp,
        marker: false,
        frame: noFrame,
      });
    }
  }

  /**
   * Sends padding packets on the retransmission stream until about `bytes` bytes have left. Returns the bytes sent.
   * Returns 0 if the browser does not accept retransmissions, before the first packet, and on a closed connection.
   */
  sendPadding(bytes: number, nowMs: number, probe: number | undefined): number {
    if (this.#rtx === undefined || this.counters.packets === 0) return 0;
    let sent = 0;
    while (sent < bytes) {
      const payload = Buffer.alloc(maxPaddingBytes);
      payload[maxPaddingBytes - 1] = maxPaddingBytes;
      const padding = {
        kind: 'padding',
        payload,
        rtpTimestamp: this.#lastTimestamp,
        marker: false,
        frame: noFrame,
      } as const;
      const { sizeBytes } = this.#transmit(this.#rtx, padding, nowMs, probe);
      if (sizeBytes === 0) break;
      sent += sizeBytes;
    }
    this.counters.paddingBytes += sent;
    return sent;
  }

  /** Returns a retransmission of the packet that a NACK asks for, or the reason why it is not sent. */
  retransmission(sequence: number, rttMs: number, nowMs: number): OutgoingPacket | 'gone' | 'not-now' {
    if (this.#rtx === undefined) return 'gone';
    const stored = this.#history.request(sequence, rttMs, nowMs);
    if (stored === 'gone') return 'gone';
    if (typeof stored === 'string') return 'not-now';
    return {
      kind: 'retransmission',
      sizeBytes: stored.payload.length + overheadBytes,
      queuedMs: nowMs,
      payload: stored.payload,
      rtpTimestamp: stored.rtpTimestamp,
      marker: stored.marker,
      frame: noFrame,
      stored,
    };
  }

  #transmit(
    stream: RtpStream,
    { kind, payload, rtpTimestamp, marker, frame }: Transmitted,
    nowMs: number,
    probe: number | undefined,
  ): { sizeBytes: number; fields: RtpFields } {
    const { ssrc, payloadType, nextSequence: sequence } = stream;
    stream.nextSequence = (sequence + 1) & 0xffff;
    const transport = this.takeNumber();
    const fields: RtpFields = {
      ssrc,
      payloadType,
      sequence,
      timestamp: rtpTimestamp,
      marker,
      extensions: extensionsOf(this.#stream, {
        withMid: this.counters.packets < midPackets,
        transport,
        nowMs,
        playoutDelay: this.#playoutDelay,
      }),
      padding: kind === 'padding',
    };
    const sizeBytes = this.#peer.sendRtp(fields, payload);
    this.counters.packets++;
    this.counters.bytes += sizeBytes;
    const sent = this.sentPackets.add(
      { sequence: transport, sentMs: nowMs, sizeBytes, kind, ...(probe === undefined ? {} : { probe }) },
      { ssrc, sequence },
    );
    this.#onDeparture({ sent, rtpSequence: sequence, rtpTimestamp, frame, payloadBytes: payload.length });
    return { sizeBytes, fields };
  }
}
