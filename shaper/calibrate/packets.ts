/** Sizes of probes, and conversions between packets, bytes and time on a link. */
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import type { PreflightLink } from './link.ts';

/** UDP payload of a full IP packet of 1500 bytes, and of the smallest probe. */
export const fullPayloadBytes = 1472;
export const smallPayloadBytes = 24;
/** Fastest link that one sender can overload, bit/s. */
export const fastestBps = 300e6;

/** Bytes that the bottleneck counts for a UDP packet. */
export function countedBytes(link: Pick<PreflightLink, 'overheadBytes'>, payloadBytes: number): number {
  return payloadBytes + udpHeadersBytes + link.overheadBytes;
}

/** Serialisation time of a packet with that payload at the bottleneck, ms. */
export function slotMs(link: Pick<PreflightLink, 'rateBps' | 'overheadBytes'>, payloadBytes: number): number {
  return (countedBytes(link, payloadBytes) * 8e3) / link.rateBps;
}

/** Drop-tail limit in packets with that payload; null without a limit. */
export function limitInPackets(link: PreflightLink, payloadBytes: number): number | null {
  if (link.limitPackets !== null) return link.limitPackets;
  return link.limitBytes === null ? null : Math.floor(link.limitBytes / countedBytes(link, payloadBytes));
}

/** Number of packets with that payload that fit into the empty queue, under any discipline. */
export function roomPackets(link: PreflightLink, payloadBytes: number): number {
  const { roomPackets: room, roomBytes } = link.discipline;
  return Math.min(
    limitInPackets(link, payloadBytes) ?? Infinity,
    room ?? Infinity,
    roomBytes == null ? Infinity : Math.floor(roomBytes / countedBytes(link, payloadBytes)),
  );
}

/** Packets at line rate after idle, including the first. */
export function lineRatePackets(packetBytes: number, bucketBytes: number): number {
  return Math.floor(bucketBytes / packetBytes + 0.5) + 1;
}
