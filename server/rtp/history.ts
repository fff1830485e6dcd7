/**
 * Sent packets kept for retransmission (RFC 4588), by RTP sequence number.
 *
 * A packet is sent again only if it does not wait in the pacer and its last retransmission is at least a round trip
 * old. Without this rule repeated NACKs during an outage cause congestion.
 */

export type StoredPacket = {
  sequence: number;
  payload: Buffer;
  rtpTimestamp: number;
  marker: boolean;
  /** Time of the last transmission, original or repeated. */
  sentMs: number;
  retransmissions: number;
  /** True while a retransmission waits in the pacer. */
  queued: boolean;
};

type RetransmissionAnswer = StoredPacket | 'gone' | 'queued' | 'too-soon';

export class PacketHistory {
  readonly #packets = new Map<number, StoredPacket>();
  readonly #keepMs: number;
  /** Number of the oldest kept packet. A separate count, since iterating over a Map also visits its deleted entries. */
  #oldest = 0;

  /** `keepMs`: time for which a packet can be requested. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  get size(): number {
    return this.#packets.size;
  }

  /** Keeps a packet. Its number follows that of the previous packet. */
  store(sequence: number, payload: Buffer, rtpTimestamp: number, marker: boolean, nowMs: number): void {
    if (this.#packets.size === 0) this.#oldest = sequence;
    // all numbers are in use, and the oldest one is overwritten
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

  /** Returns the packet to send again, or the reason why not. `rttMs`: shortest time between two copies. */
  request(sequence: number, rttMs: number, nowMs: number): RetransmissionAnswer {
    const packet = this.#packets.get(sequence);
    if (packet === undefined) return 'gone';
    if (packet.queued) return 'queued';
    if (packet.retransmissions > 0 && nowMs - packet.sentMs < rttMs) return 'too-soon';
    packet.queued = true;
    return packet;
  }

  /** Called when the retransmission has left the pacer. */
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
