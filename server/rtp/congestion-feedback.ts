/**
 * Reads RTP congestion control feedback (RFC 8888, section 3.1; RTCP type 205, format 11).
 *
 * The RFC contradicts itself on the number of blocks: the range "begin_seq to begin_seq+num_reports inclusive" has one
 * block more than `num_reports`. libwebrtc sends `num_reports` blocks, and this code reads `num_reports` blocks.
 */
import { type EcnField, ecnOf } from '../../core/vocabulary/ecn.ts';

type ReportedPacket = {
  /** RTP sequence number in the stream, 16 bits. */
  sequence: number;
  /** Arrival of the packet; null if the packet has not arrived yet. */
  arrival: PacketArrival | null;
};

export type PacketArrival = {
  /**
   * Time from the arrival of the packet to the report's timestamp, in units of 1/1024 s, 0 to 8189. "earlier" stands
   * for a longer time. "unknown" stands for an unknown time, or for an arrival after the timestamp.
   */
  offset: number | 'earlier' | 'unknown';
  ecn: EcnField;
};

export type CongestionFeedback = {
  streams: { ssrc: number; packets: ReportedPacket[] }[];
  /** Time of the report: middle 32 bits of the receiver's NTP time, in units of 1/65536 s; wraps every 18 hours. */
  timestamp: number;
};

/** Code for the offset "earlier". The largest offset in numbers is one less. */
export const earlierOffset = 0x1ffe;
const unknownOffset = 0x1fff;
/** Largest number of reports on one stream: a quarter of the sequence numbers. */
const maxReports = 16384;
const streamHeaderBytes = 8;
const timestampBytes = 4;

/**
 * Decodes the bytes that follow the sender's SSRC in the RTCP packet. Returns undefined for an incomplete or invalid
 * message.
 */
export function readCongestionFeedback(bytes: Buffer): CongestionFeedback | undefined {
  if (bytes.length < timestampBytes || bytes.length % 4 !== 0) return undefined;
  const end = bytes.length - timestampBytes;
  const streams: CongestionFeedback['streams'] = [];
  let offset = 0;
  while (offset < end) {
    if (offset + streamHeaderBytes > end) return undefined;
    const begin = bytes.readUInt16BE(offset + 4);
    const count = bytes.readUInt16BE(offset + 6);
    const blocksAt = offset + streamHeaderBytes;
    const next = blocksAt + 4 * Math.ceil(count / 2); // an odd number of blocks is followed by two padding bytes
    if (count > maxReports || next > end) return undefined;
    const packets: ReportedPacket[] = [];
    for (let i = 0; i < count; i++)
      packets.push({ sequence: (begin + i) & 0xffff, arrival: readArrival(bytes.readUInt16BE(blocksAt + 2 * i)) });
    streams.push({ ssrc: bytes.readUInt32BE(offset), packets });
    offset = next;
  }
  return { streams, timestamp: bytes.readUInt32BE(end) };
}

function readArrival(block: number): PacketArrival | null {
  if ((block & 0x8000) === 0) return null; // the packet has not arrived, and the other bits have no meaning
  const offset = block & 0x1fff;
  return {
    offset: offset === unknownOffset ? 'unknown' : offset === earlierOffset ? 'earlier' : offset,
    ecn: ecnOf(block >> 13),
  };
}
