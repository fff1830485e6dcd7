/**
 * The target bitrate: one reference window per round trip. It is lower if more bytes are in flight, or if the window
 * has only a few segments (section "Media Rate Control" of draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { segmentBytes } from './segment.ts';

/** Limit of bytes in flight / window (BYTES_IN_FLIGHT_LIMIT); above it the rate is divided by ratio / limit. */
const inFlightLimit = 0.9;
/** Largest such divisor (BYTES_IN_FLIGHT_LIMIT_COMPENSATION). */
const maxCompensation = 1.5;
/** Share of the queue delay target above which the rate is divided. */
const queueRatio = 0.25;
/** Limit of segment / window; above it the rate is cut by the excess, at most by `maxSmallWindowCut`. */
const freeSegmentRatio = 0.1;
const maxSmallWindowCut = 0.2;
/** Header per packet (PACKET_OVERHEAD), bytes. */
const packetOverheadBytes = 20;

type MediaRateSignal = {
  windowBytes: number;
  /** Segment divided by window (ref_wnd_ratio). */
  segmentRatio: number;
  rttMs: number;
  queueDelayMs: number;
  queueDelayTargetMs: number;
  /** Bytes in flight divided by the window at the arrival of the message (bytes_in_flight_ratio). */
  inFlightRatio: number;
};

/** Returns the target bitrate before the constraints, bit/s. */
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
