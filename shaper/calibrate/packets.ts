/** Sizes of probes, and conversions between packets, bytes and time on a link. */
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import type { PreflightLink } from './link.ts';

/** UDP payload of a full IP packet of 1500 bytes, and of the smallest probe, bytes. */
export const fullPayloadBytes = 1472;
export const smallPayloadBytes = 24;
/** Largest rate of a link that one sender can overload, bit/s. */
export const fastestBps = 300e6;

/** Returns the bytes that the bottleneck counts for a UDP packet with that payload. */
export function countedBytes(link: Pick<PreflightLink, 'overheadBytes'>, payloadBytes: number): number {
  return payloadBytes + udpHeadersBytes + link.overheadBytes;
}

/** Returns the serialisation time at the bottleneck of a packet with `payloadBytes` of UDP payload, ms. */
export function slotMs(link: Pick<PreflightLink, 'rateBps' | 'overheadBytes'>, payloadBytes: number): number {
  return (countedBytes(link, payloadBytes) * 8e3) / link.rateBps;
}

/** Returns the drop-tail limit as a number of packets with `payloadBytes` of UDP payload; null without a limit. */
export function limitInPackets(link: PreflightLink, payloadBytes: number): number | null {
  if (link.limitPackets !== null) return link.limitPackets;
  return link.limitBytes === null ? null : Math.floor(link.limitBytes / countedBytes(link, payloadBytes));
}

/**
 * Returns the number of packets with `payloadBytes` of UDP payload that fit into the empty queue, under any discipline.
 */
export function roomPackets(link: PreflightLink, payloadBytes: number): number {
  const { roomPackets: room, roomBytes } = link.discipline;
  return Math.min(
    limitInPackets(link, payloadBytes) ?? Infinity,
    room ?? Infinity,
    roomBytes == null ? Infinity : Math.floor(roomBytes / countedBytes(link, payloadBytes)),
  );
}

/** Returns the number of packets that leave at line rate after an idle time, including the first packet. */
export function lineRatePackets(packetBytes: number, bucketBytes: number): number {
  return Math.floor(bucketBytes / packetBytes + 0.5) + 1;
}
