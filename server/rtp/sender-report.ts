/**
 * Writes RTCP sender reports (RFC 3550, 6.4.1) with SDES (6.5), and computes the round trip from the receiver's answers
 * (6.4.1, figure 2).
 */
import type { ReportBlock } from './rtcp-reader.ts';

/** Seconds from the start of the NTP era (1900) to the Unix epoch (RFC 5905, figure 4). */
const ntpOffsetS = 2_208_988_800;

/** Converts Unix time in ms to a 64-bit NTP timestamp. */
export function ntpTimestamp(unixMs: number): bigint {
  const seconds = Math.floor(unixMs / 1000);
  const fraction = Math.floor((unixMs / 1000 - seconds) * 2 ** 32);
  return (BigInt(seconds + ntpOffsetS) << 32n) | BigInt(fraction);
}

/** Returns the middle 32 bits of a 64-bit NTP timestamp, which RTCP reports use. */
export function compactNtp(timestamp: bigint): number {
  return Number((timestamp >> 16n) & 0xffffffffn);
}

type SenderInfo = {
  ssrc: number;
  /** Unix time that corresponds to `rtpTimestamp`, ms. */
  timeMs: number;
  rtpTimestamp: number;
  packetCount: number;
  octetCount: number;
  /** Canonical name (CNAME) of the sender, ASCII. */
  cname: string;
};

/** Returns a compound RTCP packet: a sender report and a source description. */
export function writeSenderReport(info: SenderInfo): Buffer {
  const report = Buffer.alloc(28);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(info.ssrc, 4);
  report.writeBigUInt64BE(ntpTimestamp(info.timeMs), 8);
  report.writeUInt32BE(info.rtpTimestamp >>> 0, 16);
  report.writeUInt32BE(info.packetCount >>> 0, 20);
  report.writeUInt32BE(info.octetCount >>> 0, 24);
  const name = Buffer.from(info.cname, 'ascii');
  const itemBytes = 2 + name.length;
  const chunkBytes = Math.ceil((4 + itemBytes + 1) / 4) * 4; // at least one zero byte must end the list of items
  const description = Buffer.alloc(4 + chunkBytes);
  description.writeUInt8(0x81, 0);
  description.writeUInt8(202, 1);
  description.writeUInt16BE(chunkBytes / 4, 2);
  description.writeUInt32BE(info.ssrc, 4);
  description.writeUInt8(1, 8);
  description.writeUInt8(name.length, 9);
  name.copy(description, 10);
  return Buffer.concat([report, description]);
}

/** Returns the round trip that a report block shows, ms; undefined if the block does not answer a sender report. */
export function roundTripMs(block: ReportBlock, arrivedMs: number): number | undefined {
  if (block.lastSenderReport === 0) return undefined;
  const units = (compactNtp(ntpTimestamp(arrivedMs)) - block.lastSenderReport - block.delaySinceLastSenderReport) | 0;
  return units < 0 ? undefined : (units * 1000) / 65536;
}
