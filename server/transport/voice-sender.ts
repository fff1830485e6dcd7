/**
 * Sends the RTP stream of the voice. Its packets have transport-wide sequence numbers as those of the video have, so the
 * receiver's feedback reports them too (libwebrtc 2026-08, audio/channel_send.cc). They are not paced and are never sent
 * again.
 */
import { randomInt } from 'node:crypto';
import { extensionsOf } from '../rtp/header-extensions.ts';
import type { MediaConnection, VoiceParameters } from './connection.ts';
import type { Departure } from './rtp-sender.ts';
import type { TransportNumbers } from './sent-packets.ts';

/** Packets at the start that carry the stream id (MID), as those of the video do: one second of them. */
const midPackets = 50;
const noFrame = -1;

export class VoiceSender {
  /** Totals since the start. `bytes`: on the wire. */
  readonly counters = { packets: 0, bytes: 0, payloadBytes: 0 };
  readonly stream: VoiceParameters;
  readonly #peer: MediaConnection;
  readonly #numbers: TransportNumbers;
  readonly #onDeparture: (departure: Departure) => void;
  #sequence = randomInt(2 ** 15); // SRTP's rollover counter is 0 at the first packet (RFC 3711, 3.3.1)

  constructor(
    peer: MediaConnection,
    stream: VoiceParameters,
    numbers: TransportNumbers,
    onDeparture: (departure: Departure) => void,
  ) {
    this.#peer = peer;
    this.stream = stream;
    this.#numbers = numbers;
    this.#onDeparture = onDeparture;
  }

  /** Sends a packet. `marker`: true for the first packet after silence (RFC 3551, section 4.1). */
  send(packet: { payload: Buffer; payloadType: number; rtpTimestamp: number; marker: boolean }, nowMs: number): void {
    const { payload, payloadType, rtpTimestamp, marker } = packet;
    const { ssrc } = this.stream;
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    const transport = this.#numbers.takeNumber();
    const sizeBytes = this.#peer.sendRtp(
      {
        ssrc,
        payloadType,
        sequence,
        timestamp: rtpTimestamp,
        marker,
        extensions: extensionsOf(this.stream, { withMid: this.counters.packets < midPackets, transport, nowMs }),
      },
      payload,
    );
    this.counters.packets++;
    this.counters.bytes += sizeBytes;
    this.counters.payloadBytes += payload.length;
    const sent = this.#numbers.sentPackets.add(
      { sequence: transport, sentMs: nowMs, sizeBytes, kind: 'voice' },
      { ssrc, sequence },
    );
    this.#onDeparture({ sent, rtpSequence: sequence, rtpTimestamp, frame: noFrame, payloadBytes: payload.length });
  }
}
