/**
 * Splits a frame's latency, from its capture to its presentation, into parts that add up to the whole. "Last packet" is
 * the packet that arrived last, retransmissions excluded.
 *
 * encoder        from the capture until the frame is encoded
 * pacer          until the last packet leaves the pacer
 * queue          time of the last packet in the bottleneck queue
 * wire           time of the last packet on the rest of its path
 * repair         until all lost packets are repaired
 * jitter-buffer  until decoding begins
 * decode         until the frame is presented
 *
 * The browser reports the length of decoding, not its start. The rest of the time between the last packet and the
 * presentation therefore counts as jitter buffer, including the wait for the compositor. Rendering after the
 * presentation is not included: the browser's expected time of display (video-rvfc, expectedDisplayTime) is a tick of
 * its display's clock that mostly lies before the presentation (median 0.8 ms, Chromium 2026), and no other source has
 * the time of display. Without a queue log the time in the queue counts as wire. Clocks differ a little: a moment that
 * would lie before the previous moment is moved to the previous moment, so that no part is negative.
 */
import type { FramePart } from '../../../../core/vocabulary/frame-parts.ts';
import type { FrameLine } from './frame-line.ts';

export type FrameParts = Record<FramePart, number>;

/**
 * Time that a frame spent in each part of its path until its presentation, or until its last known moment if it was not
 * presented.
 */
export type FrameInParts = { frame: number; captureMs: number; isPresented: boolean; parts: FrameParts };

/**
 * Splits the time from the frame's capture to `endMs` into parts, ms. `endMs`: presentation of the frame, or any other
 * moment after the capture.
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
