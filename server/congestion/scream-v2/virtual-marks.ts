/**
 * Share of packets that a marking queue would have marked, from the averaged queue delay (l4s_alpha_v; sections
 * "Detecting Increased Queue Delay" and "Reference Window Reduction" of draft-johansson-ccwg-rfc8298bis-screamv2). The
 * share grows with queue delays from half the queue delay target on. At the target the share is twice the share that
 * keeps the window steady. Virtual marks are not used if real marks arrive.
 */
import { segmentBytes } from './segment.ts';

type DelaySignal = {
  queueDelayMs: number;
  averageQueueDelayMs: number;
  queueDelayTargetMs: number;
  /** Average share of packets with a real mark. */
  l4sAlpha: number;
  targetBps: number;
  rttMs: number;
};

/** Returns the share of virtual marks, 0 to 1; undefined while the queue is short or the path marks packets. */
export function virtualMarks({
  queueDelayMs,
  averageQueueDelayMs,
  queueDelayTargetMs,
  l4sAlpha,
  targetBps,
  rttMs,
}: DelaySignal): number | undefined {
  const thresholdMs = queueDelayTargetMs / 2;
  if (queueDelayMs <= thresholdMs) return undefined;
  /** Share that keeps the window steady: two marked packets per round trip. */
  const steadyShare = (2 * segmentBytes * 8000) / (targetBps * rttMs);
  if (l4sAlpha >= steadyShare) return undefined;
  return Math.min(1, 2 * steadyShare * Math.max(0, (averageQueueDelayMs - thresholdMs) / thresholdMs));
}
