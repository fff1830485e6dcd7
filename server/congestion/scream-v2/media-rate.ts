/**
 * The target bitrate: a reference window per round trip, somewhat less where the network holds more than
 * that or the window is only a few segments (section "Media Rate Control" of
 * draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { segmentBytes } from './segment.ts';

/** Bytes in flight over the window (BYTES_IN_FLIGHT_LIMIT) from which the rate is divided by what is over it ... */
const inFlightLimit = 0.9;
/** ... at most by this (BYTES_IN_FLIGHT_LIMIT_COMPENSATION), ... */
const maxCompensation = 1.5;
/** ... if the queue is above this share of its target. */
const queueRatio = 0.25;
/** A window of few segments lowers the rate by segment over window less this, at most by the second. */
const freeSegmentRatio = 0.1;
const maxSmallWindowCut = 0.2;
/** Header per packet (PACKET_OVERHEAD), bytes. */
const packetOverheadBytes = 20;

type MediaRateSignal = {
  windowBytes: number;
  /** ref_wnd_ratio. */
  segmentRatio: number;
  rttMs: number;
  queueDelayMs: number;
  queueDelayTargetMs: number;
  /** Bytes in flight over the window when the message came (bytes_in_flight_ratio). */
  inFlightRatio: number;
};

/** bit/s, before the constraints. */
export function mediaRateBps({
  windowBytes,
  segmentRatio,
  rttMs,
  queueDelayMs,
  queueDelayTargetMs,
  inFlightRatio,
}: MediaRateSignal): number {
  const isOverfull = queueDelayMs / queueDelayTargetMs > queueRatio && inFlightRatio > inFlightLimit;
  const compensation = isOverfull ? Math.min(maxCompensation, inFlightRatio / inFlightLimit) : 1;
  const smallWindow = 1 - Math.min(maxSmallWindowCut, Math.max(0, segmentRatio - freeSegmentRatio));
  const overhead = segmentBytes / (segmentBytes + packetOverheadBytes);
  return (((windowBytes * 8000) / rttMs) * smallWindow * overhead) / compensation;
}
