/**
 * The target bitrate: one reference window per round trip. The rate is lower if too many bytes are in flight, or if the
 * window has only a few segments (section "Media Rate Control" of draft-johansson-ccwg-rfc8298bis-screamv2).
 */
import { segmentBytes } from './segment.ts';

/**
 * Limit for the ratio of bytes in flight to window (BYTES_IN_FLIGHT_LIMIT). Above the limit the rate is divided by
 * ratio / limit.
 */
const inFlightLimit = 0.9;
/** Largest divisor of the rate because of bytes in flight (BYTES_IN_FLIGHT_LIMIT_COMPENSATION). */
const maxCompensation = 1.5;
/** Share of the queue delay target. The rate is divided only if the queue delay is above this share. */
const queueRatio = 0.25;
/**
 * Limit for the ratio of segment to window. Above the limit the rate is cut by the excess, at most by
 * `maxSmallWindowCut`.
 */
const freeSegmentRatio = 0.1;
const maxSmallWindowCut = 0.2;
/** Header bytes per packet (PACKET_OVERHEAD). */
const packetOverheadBytes = 20;

type MediaRateSignal = {
  windowBytes: number;
  /** Ratio of segment to window (ref_wnd_ratio). */
  segmentRatio: number;
  rttMs: number;
  queueDelayMs: number;
  queueDelayTargetMs: number;
  /** Ratio of bytes in flight to window when the feedback message arrived (bytes_in_flight_ratio). */
  inFlightRatio: number;
};

/** Returns the target bitrate before it is clamped to the constraints, bit/s. */
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
