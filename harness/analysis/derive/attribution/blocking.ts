/**
 * Finds the frame that kept the viewer waiting, and the part of the path in which this frame lost time (README.md).
 *
 * Let P be the last frame shown before the gap, and N the first frame that could have ended the gap. With the times
 * that P and N spent in each part,
 *
 * gap - period = (time between their captures - period) + sum over parts (time of N in the part - time of P in it)
 *
 * so the differences add up exactly to the gap.
 */
import { type FramePart, frameParts } from '../../../../core/vocabulary/frame-parts.ts';
import { type FrameLine, sameMomentMs } from '../timeline/frame-line.ts';
import { type FrameParts, splitLatency } from '../timeline/frame-parts.ts';

/**
 * Part of the path, or one of two waits before a frame enters the path. `capture`: the next frame was not captured yet.
 * `key-frame`: a frame could not be repaired, and the next key frame was not captured yet.
 */
export type GapPart = 'capture' | 'key-frame' | FramePart;

export type Blocking = {
  /** Last frame that was shown before the gap. */
  before: FrameLine;
  /** First frame that could have ended the gap; null if no such frame was sent. */
  next: FrameLine | null;
  /** Frame that never became complete, so that the viewer needed a key frame; null if all frames became complete. */
  broken: FrameLine | null;
  /** Frame that ended the gap; null if the gap was not over at the end of the window. */
  after: FrameLine | null;
  /** Time that each part of the path added to the gap, ms. */
  addedMs: Record<GapPart, number>;
  periodMs: number;
};

/**
 * Returns the mean time between two captures, ms. It is computed from frame numbers, which also count skipped frames.
 */
export function periodOf(frames: readonly FrameLine[]): number {
  const [first, last] = [frames[0], frames.at(-1)];
  return first === undefined || last === undefined || last.frame === first.frame
    ? 0
    : (last.captureMs - first.captureMs) / (last.frame - first.frame);
}

/**
 * Finds the frame and the part of the path that made a gap. `frames`: in capture order. Undefined if `frames` lacks the
 * last frame shown before the gap, from which all times are computed.
 */
export function blockingOf(
  frames: readonly FrameLine[],
  gap: { fromMs: number; toMs: number; isOver: boolean },
  periodMs: number,
): Blocking | undefined {
  const isShownBy = (frame: FrameLine, ms: number) =>
    frame.presentedMs !== null && frame.presentedMs <= ms + sameMomentMs;
  const before = frames
    .filter(frame => isShownBy(frame, gap.fromMs))
    .reduce<FrameLine | undefined>(
      (last, frame) => (last !== undefined && last.presentedMs! > frame.presentedMs! ? last : frame),
      undefined,
    );
  if (before === undefined) return undefined;
  const ended = gap.isOver
    ? frames.find(
        frame =>
          frame.frame > before.frame && frame.presentedMs !== null && frame.presentedMs >= gap.toMs - sameMomentMs,
      )
    : undefined;
  const candidates = frames.filter(
    frame =>
      frame.frame > before.frame && frame.captureMs < gap.toMs && (ended === undefined || frame.frame <= ended.frame),
  );
  const first = candidates[0];
  const common = { before, after: ended ?? null, periodMs };
  const beforeParts = splitLatency(before, Math.max(before.presentedMs!, before.captureMs));
  if (first === undefined)
    return {
      ...common,
      next: null,
      broken: null,
      addedMs: added(beforeParts, undefined, gap.toMs - gap.fromMs - periodMs, 0),
    };
  // if the frame shown next was no key frame, all frames before it were complete
  const isBroken = first.completeMs === null && ended?.key !== false;
  const key = isBroken ? candidates.find(frame => frame.key && frame !== first) : undefined;
  const next = key ?? (isBroken || first.completeMs !== null ? first : { ...first, completeMs: ended!.completeMs });
  const betweenMs = first.captureMs - before.captureMs - periodMs;
  return {
    ...common,
    next,
    broken: key === undefined ? null : first,
    addedMs: added(beforeParts, splitLatency(next, gap.toMs), betweenMs, next.captureMs - first.captureMs),
  };
}

function added(
  before: FrameParts,
  next: FrameParts | undefined,
  captureMs: number,
  keyFrameMs: number,
): Record<GapPart, number> {
  const parts = { capture: captureMs, 'key-frame': keyFrameMs } as Record<GapPart, number>;
  for (const part of frameParts) parts[part] = next === undefined ? 0 : next[part] - before[part];
  return parts;
}
