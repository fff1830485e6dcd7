/**
 * Reader of the captures around mm-link (shaper/native/capture): the IPv4 packets of a pcap file, in their order. A
 * capture of a TUN device begins with the IP header, one of an Ethernet device has a header before it.
 */
import { open } from 'node:fs/promises';
import { CoexistError } from '../../core/errors.ts';

const fileHeaderBytes = 24;
const packetHeaderBytes = 16;
/** Mark of a pcap file with times in ns. */
const magic = 0xa1b23c4d;
/** Length of the header before the IP header, bytes, by the link type of the file: Ethernet, and raw IP. */
const linkHeaders: Readonly<Record<number, number>> = { 1: 14, 101: 0 };
const chunkBytes = 1 << 18;
const second = 1_000_000_000n;
/** Bytes in the IP header that a router changes: time to live, and checksum. */
const [timeToLiveAt, checksumAt] = [8, 10];

export type CapturedPacket = {
  /** Time of the capture on CLOCK_MONOTONIC, ns. */
  timeNs: number;
  /** The captured part of the packet from its IP header on. */
  bytes: Buffer;
  /** Length of the whole IP packet. */
  ipBytes: number;
};

/**
 * Yields the IPv4 packets of a capture. `offsetNs`: wall clock minus CLOCK_MONOTONIC. Throws `bad-run-folder` if the
 * file is no capture.
 */
export async function* capturedPackets(path: string, offsetNs: bigint): AsyncGenerator<CapturedPacket> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(fileHeaderBytes);
    const { bytesRead } = await file.read(start, 0, fileHeaderBytes, 0);
    const linkHeader = bytesRead < fileHeaderBytes ? undefined : linkHeaders[start.readUInt32LE(20)];
    if (linkHeader === undefined || start.readUInt32LE(0) !== magic)
      throw new CoexistError('bad-run-folder', `${path} is no capture that can be read`);
    for (let position = fileHeaderBytes; ; ) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead: filled } = await file.read(chunk, 0, chunkBytes, position);
      let at = 0;
      for (;;) {
        if (at + packetHeaderBytes > filled) break;
        const captured = chunk.readUInt32LE(at + 8);
        const end = at + packetHeaderBytes + captured;
        if (end > filled) break;
        const bytes = chunk.subarray(at + packetHeaderBytes + linkHeader, end);
        if (bytes.length >= 20 && bytes[0]! >> 4 === 4)
          yield {
            timeNs: Number(BigInt(chunk.readUInt32LE(at)) * second + BigInt(chunk.readUInt32LE(at + 4)) - offsetNs),
            bytes,
            ipBytes: chunk.readUInt32LE(at + 12) - linkHeader,
          };
        at = end;
      }
      if (at === 0) return;
      position += at;
    }
  } finally {
    await file.close();
  }
}

/** Returns true if both captures are of one packet, before and behind routers. */
export function isSamePacket(a: Pick<CapturedPacket, 'bytes'>, b: Pick<CapturedPacket, 'bytes'>): boolean {
  const length = Math.min(a.bytes.length, b.bytes.length);
  const same = (from: number, to: number) => a.bytes.compare(b.bytes, from, to, from, to) === 0;
  return same(0, timeToLiveAt) && same(timeToLiveAt + 1, checksumAt) && same(checksumAt + 2, length);
}
