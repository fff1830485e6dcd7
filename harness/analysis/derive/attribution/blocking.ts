/**
 * Which frame kept the viewer waiting, and where it lost its time (README.md).
 *
 * Let P be the last frame shown before the gap and N the one that could have ended it first. With what each part took
 * of them,
 *
 *   gap - period = (time between their captures - period) + sum over parts (time of N in the part - time of P in it)
 *
 * so the differences say, exactly, where the gap comes from.
 */
import { type FramePart, frameParts } from '../../../../core/vocabulary/frame-parts.ts';
import { type FrameLine, sameMomentMs } from '../timeline/frame-line.ts';
import { type FrameParts, splitLatency } from '../timeline/frame-parts.ts';

/** `capture`: not taken yet. `key-frame`: an unrepairable frame was before it, and the next key frame not taken yet. */
export type GapPart = 'capture' | 'key-frame' | FramePart;

export type Blocking = {
  /** The last frame shown. */
  before: FrameLine;
  /** The frame that could have ended the gap first; null where none was sent. */
  next: FrameLine | null;
  /** What never became whole, so that a key frame had to come; null where that was not so. */
  broken: FrameLine | null;
  /** The frame that ended the gap; null where it was not over at the window's end. */
  after: FrameLine | null;
  /** What each part added to the gap, ms. */
  addedMs: Record<GapPart, number>;
  /** Time between two frames, ms. */
  periodMs: number;
};

/** Time between two frames by their numbers, which count the periods, skipped ones included, ms. */
export function periodOf(frames: readonly FrameLine[]): number {
  const [first, last] = [frames[0], frames.at(-1)];
  return first === undefined || last === undefined || last.frame === first.frame
    ? 0
    : (last.captureMs - first.captureMs) / (last.frame - first.frame);
}

/**
 * `frames`: in the order in which they were taken. Undefined where the last frame shown is not among them: then nothing
 * can be said.
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
  // what was shown without a key frame had everything before it
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
