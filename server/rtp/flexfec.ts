/**
 * Forward error correction in the form that Chromium decodes: FlexFEC (draft-ietf-payload-flexible-fec-scheme-03,
 * section 4.2) for one stream, with interleaved repair packets.
 *
 * A repair packet is the XOR of several media packets. The receiver can restore one lost packet from the others and the
 * repair packet. If a group has m repair packets, the j-th of them covers every m-th media packet from the j-th on, so
 * that the receiver can repair a burst of m losses.
 */

/**
 * A media packet before encryption. Extensions that are written when the packet leaves contain zeros (as in libwebrtc
 * 2026-08, flexfec_receiver.cc).
 */
export type ProtectedPacket = { sequence: number; bytes: Buffer };

const rtpHeaderBytes = 12;
/**
 * Size of the repair header before the mask, bytes: recovery fields, count of streams, one SSRC, base sequence number.
 */
const repairHeaderBytes = 18;
/**
 * The blocks of the mask: bytes, and number of packets that this block and all blocks before it cover. The first bit of
 * each block is set if the block is the last one.
 */
const maskBlocks = [
  { bytes: 2, packets: 15 },
  { bytes: 4, packets: 46 },
  { bytes: 8, packets: 109 },
] as const;
/** Largest number of packets in a group that Chromium's decoder accepts (kFlexfecMaxMediaPackets). */
const maxGroupPackets = 48;

function xorInto(target: Buffer, source: Buffer): void {
  for (let i = 0; i < source.length; i++) target[i]! ^= source[i]!;
}

/**
 * Returns the mask for packets at these distances from the base sequence number. The distances are bit numbers in the
 * mask, from the left.
 */
function writeMask(distances: readonly number[]): Buffer {
  const last = maskBlocks.findIndex(({ packets }) => distances.at(-1)! < packets);
  const mask = Buffer.alloc(maskBlocks.slice(0, last + 1).reduce((sum, { bytes }) => sum + bytes, 0));
  let [firstByte, firstPacket] = [0, 0];
  for (const [i, { bytes, packets }] of maskBlocks.slice(0, last + 1).entries()) {
    const set = (bit: number) => {
      mask[firstByte + (bit >> 3)]! |= 0x80 >> (bit & 7);
    };
    if (i === last) set(0);
    for (const distance of distances)
      if (distance >= firstPacket && distance < packets) set(1 + distance - firstPacket);
    [firstByte, firstPacket] = [firstByte + bytes, packets];
  }
  return mask;
}

/**
 * Returns the payload of a repair packet that can restore any one of `packets`, which are in order of sequence numbers.
 * The last number is at most 108 above the first.
 */
export function repairPayload(ssrc: number, packets: readonly ProtectedPacket[]): Buffer {
  const base = packets[0]!.sequence;
  const mask = writeMask(packets.map(({ sequence }) => (sequence - base) & 0xffff));
  const header = Buffer.alloc(repairHeaderBytes);
  const body = Buffer.alloc(Math.max(...packets.map(({ bytes }) => bytes.length)) - rtpHeaderBytes);
  const lengths = Buffer.alloc(2);
  for (const { bytes } of packets) {
    xorInto(header.subarray(0, 2), bytes.subarray(0, 2)); // padding, extension, CSRC count, marker, payload type
    lengths.writeUInt16BE(bytes.length - rtpHeaderBytes);
    xorInto(header.subarray(2, 4), lengths);
    xorInto(header.subarray(4, 8), bytes.subarray(4, 8)); // timestamp
    xorInto(body, bytes.subarray(rtpHeaderBytes));
  }
  header[0]! &= 0x3f; // R = 0 and F = 0: a repair packet with a flexible mask
  header.writeUInt8(1, 8); // count of streams
  header.writeUInt32BE(ssrc, 12);
  header.writeUInt16BE(base, 16);
  return Buffer.concat([header, mask, body]);
}

/** Collects sent packets into groups and makes the repair packets of each group. */
export class FlexfecEncoder {
  readonly #ssrc: number;
  readonly #ratio: number;
  #group: ProtectedPacket[] = [];
  /** Number of repair packets that the ratio requires and that are not made yet. */
  #owed = 0;

  /** Makes an encoder for the stream `ssrc`. `ratio`: repair packets per media packet, above 0, at most 1. */
  constructor(ssrc: number, ratio: number) {
    this.#ssrc = ssrc;
    this.#ratio = ratio;
  }

  /**
   * Takes a sent packet, in order of sequence numbers. Returns the payloads of repair packets at the end of a frame if
   * at least one repair packet is due, and when the group is full; else an empty list.
   */
  add(packet: ProtectedPacket, endsFrame: boolean): Buffer[] {
    this.#group.push(packet);
    this.#owed += this.#ratio;
    const isFull = this.#group.length === maxGroupPackets;
    if (!isFull && !(endsFrame && this.#owed >= 1)) return [];
    const group = this.#group;
    const count = Math.min(Math.floor(this.#owed), group.length);
    this.#owed -= count;
    this.#group = [];
    return Array.from({ length: count }, (_, j) =>
      repairPayload(
        this.#ssrc,
        group.filter((_packet, i) => i % count === j),
      ),
    );
  }
}
