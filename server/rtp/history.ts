/**
 * Keeps sent packets for retransmission (RFC 4588), by RTP sequence number.
 *
 * A packet is sent again only if no retransmission of the packet waits in the pacer, and if the last retransmission is
 * at least a round trip old. Without this rule repeated NACKs during an outage cause congestion.
 */

export type StoredPacket = {
  sequence: number;
  payload: Buffer;
  rtpTimestamp: number;
  marker: boolean;
  /** Time at which the packet was last sent, ms: original or retransmission. */
  sentMs: number;
  retransmissions: number;
  /** True while a retransmission of the packet waits in the pacer. */
  queued: boolean;
};

type RetransmissionAnswer = StoredPacket | 'gone' | 'queued' | 'too-soon';

export class PacketHistory {
  readonly #packets = new Map<number, StoredPacket>();
  readonly #keepMs: number;
  /**
   * Sequence number of the oldest kept packet. It is counted separately, because iterating over a Map also visits
   * deleted entries.
   */
  #oldest = 0;

  /** Makes an empty history. `keepMs`: time for which a packet can be requested again. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  get size(): number {
    return this.#packets.size;
  }

  /** Keeps a packet. The sequence number must follow that of the previous packet. */
  store(sequence: number, payload: Buffer, rtpTimestamp: number, marker: boolean, nowMs: number): void {
    if (this.#packets.size === 0) this.#oldest = sequence;
    // All sequence numbers are in use, and this packet overwrites the oldest one.
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

  /**
   * Returns the packet to send again, or the reason why it is not sent. `rttMs`: shortest time between two
   * retransmissions of a packet.
   */
  request(sequence: number, rttMs: number, nowMs: number): RetransmissionAnswer {
    const packet = this.#packets.get(sequence);
    if (packet === undefined) return 'gone';
    if (packet.queued) return 'queued';
    if (packet.retransmissions > 0 && nowMs - packet.sentMs < rttMs) return 'too-soon';
    packet.queued = true;
    return packet;
  }

  /** Called when a retransmission of the packet has left the pacer. */
  resent(packet: StoredPacket, nowMs: number): void {
    packet.queued = false;
    packet.retransmissions++;
    packet.sentMs = nowMs;
  }
}

/** Returns the payload of a retransmission: original sequence number, then original payload (RFC 4588, section 4). */
export function retransmissionPayload(packet: StoredPacket): Buffer {
  const payload = Buffer.allocUnsafe(2 + packet.payload.length);
  payload.writeUInt16BE(packet.sequence, 0);
  packet.payload.copy(payload, 2);
  return payload;
}
