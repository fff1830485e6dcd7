/**
 * Sent packets kept for retransmission (RFC 4588), found by RTP sequence number.
 *
 * A packet is sent again only if it is not already waiting in the pacer and was not sent again less than a round trip
 * ago: without that rule, repeated NACKs during an outage multiply into congestion.
 */

export type StoredPacket = {
  sequence: number;
  payload: Buffer;
  rtpTimestamp: number;
  marker: boolean;
  /** Last time it was sent, as itself or as a retransmission. */
  sentMs: number;
  retransmissions: number;
  /** True while a retransmission waits in the pacer. */
  queued: boolean;
};

type RetransmissionAnswer = StoredPacket | 'gone' | 'queued' | 'too-soon';

export class PacketHistory {
  readonly #packets = new Map<number, StoredPacket>();
  readonly #keepMs: number;
  /** Number of the oldest that is kept. Counted: to iterate over a Map costs as much as was deleted from it. */
  #oldest = 0;

  /** `keepMs`: how long a packet can be asked for. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  get size(): number {
    return this.#packets.size;
  }

  /** Keeps a packet, whose number is the one after the last one's. */
  store(sequence: number, payload: Buffer, rtpTimestamp: number, marker: boolean, nowMs: number): void {
    if (this.#packets.size === 0) this.#oldest = sequence;
    // all numbers are in use, and this one begins anew
    else if (sequence === this.#oldest) this.#oldest = (sequence + 1) & 0xffff;
    this.#packets.set(sequence, {
      sequence,
      payload,
      rtpTimestamp,
      marker,
      sentMs: nowMs,
      retransmissions: 0,
      queued: false,
    });
    for (
      let packet = this.#packets.get(this.#oldest);
      packet !== undefined && !packet.queued && nowMs - packet.sentMs > this.#keepMs;
      packet = this.#packets.get(this.#oldest)
    ) {
      this.#packets.delete(this.#oldest);
      this.#oldest = (this.#oldest + 1) & 0xffff;
    }
  }

  /** The packet to send again, or why not. `rttMs` is the shortest time between two copies. */
  request(sequence: number, rttMs: number, nowMs: number): RetransmissionAnswer {
    const packet = this.#packets.get(sequence);
    if (packet === undefined) return 'gone';
    if (packet.queued) return 'queued';
    if (packet.retransmissions > 0 && nowMs - packet.sentMs < rttMs) return 'too-soon';
    packet.queued = true;
    return packet;
  }

  /** To be called when the retransmission has left the pacer. */
  resent(packet: StoredPacket, nowMs: number): void {
    packet.queued = false;
    packet.retransmissions++;
    packet.sentMs = nowMs;
  }
}

/** Payload of a retransmission: the original sequence number, then the original payload (RFC 4588, section 4). */
export function retransmissionPayload(packet: StoredPacket): Buffer {
  const payload = Buffer.allocUnsafe(2 + packet.payload.length);
  payload.writeUInt16BE(packet.sequence, 0);
  packet.payload.copy(payload, 2);
  return payload;
}
