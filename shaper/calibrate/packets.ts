/** Sizes of probes, and what a link makes of them. */
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import type { PreflightLink } from './link.ts';

/** UDP payload of a full IP packet of 1500 bytes, and of the smallest probe. */
export const fullPayloadBytes = 1472;
export const smallPayloadBytes = 24;
/** Fastest link that one sender can overload, bit/s. */
export const fastestBps = 300e6;

/** What a UDP packet counts at the bottleneck, bytes. */
export function countedBytes(link: Pick<PreflightLink, 'overheadBytes'>, payloadBytes: number): number {
  return payloadBytes + udpHeadersBytes + link.overheadBytes;
}

/** Time that the bottleneck needs for a packet with that payload, ms. */
export function slotMs(link: Pick<PreflightLink, 'rateBps' | 'overheadBytes'>, payloadBytes: number): number {
  return (countedBytes(link, payloadBytes) * 8e3) / link.rateBps;
}

/** Packets with that payload which the queue holds by its drop-tail limit; null where it has none. */
export function limitInPackets(link: PreflightLink, payloadBytes: number): number | null {
  if (link.limitPackets !== null) return link.limitPackets;
  return link.limitBytes === null ? null : Math.floor(link.limitBytes / countedBytes(link, payloadBytes));
}

/** Packets with that payload which find room in the empty queue, whatever manages it. */
export function roomPackets(link: PreflightLink, payloadBytes: number): number {
  const { roomPackets: room, roomBytes } = link.discipline;
  return Math.min(
    limitInPackets(link, payloadBytes) ?? Infinity,
    room ?? Infinity,
    roomBytes == null ? Infinity : Math.floor(roomBytes / countedBytes(link, payloadBytes)),
  );
}

/** Packets at line rate after idle, the first included. */
export function lineRatePackets(packetBytes: number, bucketBytes: number): number {
  return Math.floor(bucketBytes / packetBytes + 0.5) + 1;
}
