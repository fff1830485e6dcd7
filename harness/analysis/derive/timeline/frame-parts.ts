/**
 * A frame's latency in parts that add up to the whole, from the moment it was taken.
 *
 *   encoder        taken - encoded
 *   pacer          - the packet that came last (of those sent first) was let go by the pacer
 *   queue          its time in the bottleneck queue
 *   wire           the rest of its path
 *   repair         - everything that was lost had arrived again
 *   jitter-buffer  - decoding began
 *   decode         - presented
 *
 * The browser tells how long decoding took, not when it began: what is left between the last packet and the
 * presentation counts as the jitter buffer's, the wait for the compositor included. Rendering behind it is no part: the
 * browser's expected time of display (video-rvfc, expectedDisplayTime) is a tick of its display's clock that mostly
 * lies before the presentation (median 0.8 ms, Chromium 2026), and nothing else tells of it. Without a log of the queue
 * its time counts as the wire's. A moment that cannot be (clocks that differ by a little) is moved to the one before
 * it, so that no part is negative.
 */
import type { FramePart } from '../../../../core/vocabulary/frame-parts.ts';
import type { FrameLine } from './frame-line.ts';

export type FrameParts = Record<FramePart, number>;

/** Where a frame was, and for how long: up to its presentation, else as far as something tells of it. */
export type FrameInParts = { frame: number; captureMs: number; isPresented: boolean; parts: FrameParts };

/**
 * Parts of the time from the frame's capture to `endMs`, its presentation or any other moment after its capture, ms.
 */
export function splitLatency(frame: FrameLine, endMs: number): FrameParts {
  const { captureMs, encodedMs, last, lost, lastSentMs, decodingMs } = frame;
  const wholeMs = frame.completeMs ?? Infinity;
  let beforeMs = captureMs;
  const then = (ms: number) => (beforeMs = Math.max(beforeMs, Math.min(ms, endMs)));
  const encoded = then(encodedMs);
  const sent = then(last?.sentMs ?? lastSentMs);
  const arrived = then(lost === 0 ? wholeMs : (last?.arrivedMs ?? sent));
  const whole = then(wholeMs);
  const decoding = then(endMs - (decodingMs ?? 0));
  const queue = Math.min(last?.queue?.sojournMs ?? 0, arrived - sent);
  return {
    encoder: encoded - captureMs,
    pacer: sent - encoded,
    queue,
    wire: arrived - sent - queue,
    repair: whole - arrived,
    'jitter-buffer': decoding - whole,
    decode: endMs - decoding,
  };
}

export function inParts(frame: FrameLine): FrameInParts {
  const { captureMs, presentedMs, completeMs, last, lastSentMs } = frame;
  const arrivedMs = last === null || !Number.isFinite(last.arrivedMs) ? null : last.arrivedMs;
  const endMs = Math.max(captureMs, presentedMs ?? completeMs ?? arrivedMs ?? lastSentMs);
  return { frame: frame.frame, captureMs, isPresented: presentedMs !== null, parts: splitLatency(frame, endMs) };
}
