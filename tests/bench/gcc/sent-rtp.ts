/**
 * The RTP packets that left a host, from a capture of its device: headers and their extensions are not encrypted (RFC
 * 3711, section 3.1).
 */
import { isIPv4 } from 'node:net';
import { headerBytes as keyBytes } from './send-times.ts';

/** `sentMs`: when the capture saw it, by the wall clock. */
export type SentRtp = {
  sentMs: number;
  /** First bytes, in hex. */
  header: string;
  sequence: number;
  /** As libwebrtc counts: from the IP header on, without what SRTP adds. */
  sizeBytes: number;
  /** It carries nothing else (RFC 3550, section 5.1). */
  isPadding: boolean;
};

const pcapHeaderBytes = 24;
const recordHeaderBytes = 16;
const ethernetBytes = 14;
const udp = 17;
/** Tag of AES_CM_128_HMAC_SHA1_80, which Chromium prefers (RFC 3711, section 5.2). */
const srtpTagBytes = 10;

/** The one-byte extension with that id (RFC 8285, section 4.2); undefined where it is not there. */
function extension(rtp: Buffer, id: number): Buffer | undefined {
  if ((rtp[0]! & 0x10) === 0) return undefined;
  let at = 12 + (rtp[0]! & 0x0f) * 4;
  if (at + 4 > rtp.length || rtp.readUInt16BE(at) !== 0xbede) return undefined;
  const end = Math.min(rtp.length, at + 4 + rtp.readUInt16BE(at + 2) * 4);
  for (at += 4; at < end; ) {
    const byte = rtp[at]!;
    if (byte === 0) {
      at++;
      continue;
    }
    const length = (byte & 0x0f) + 1;
    if (byte >> 4 === id) return rtp.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
  return undefined;
}

/** `pcap`: classic, with nanoseconds, of Ethernet (shaper/native/capture). `source`: IPv4 address of the sender. */
export function readSentRtp(pcap: Buffer, source: string, sequenceId: number): SentRtp[] {
  if (!isIPv4(source)) throw new RangeError(`${source} is no IPv4 address`);
  const address = Buffer.from(source.split('.').map(Number));
  const found: SentRtp[] = [];
  for (let at = pcapHeaderBytes; at + recordHeaderBytes <= pcap.length; ) {
    const captured = pcap.readUInt32LE(at + 8);
    const frame = pcap.subarray(at + recordHeaderBytes, at + recordHeaderBytes + captured);
    const sentMs = pcap.readUInt32LE(at) * 1e3 + pcap.readUInt32LE(at + 4) / 1e6;
    const sizeBytes = pcap.readUInt32LE(at + 12) - ethernetBytes - srtpTagBytes;
    at += recordHeaderBytes + captured;
    if (frame.length < ethernetBytes + 28 + 12 || frame.readUInt16BE(12) !== 0x0800) continue;
    const ip = frame.subarray(ethernetBytes);
    const headerBytes = (ip[0]! & 0x0f) * 4;
    if (ip[9] !== udp || !ip.subarray(12, 16).equals(address)) continue;
    const payload = ip.subarray(headerBytes + 8);
    // RTP by its first byte, and not RTCP by its second (RFC 7983; RFC 5761, section 4)
    if (payload.length < 12 || payload[0]! < 128 || payload[0]! > 191 || (payload[1]! >= 192 && payload[1]! <= 223))
      continue;
    const sequence = extension(payload, sequenceId);
    if (sequence !== undefined)
      found.push({
        sentMs,
        header: payload.toString('hex', 0, keyBytes),
        sequence: sequence.readUInt16BE(),
        sizeBytes,
        isPadding: (payload[0]! & 0x20) !== 0,
      });
  }
  return found;
}
