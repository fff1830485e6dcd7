/** Selects the frames around a gap: frames in flight during the gap, and some before and after it. */
import { type FrameLine, sameMomentMs } from './frame-line.ts';

/** Number of selected frames before the gap, and after the gap. */
const beside = 6;

/**
 * Returns the frames around a gap. `frames`: in capture order. If there are more than `most` frames, returns only every
 * second or third (and so on), but always the last frame shown before the gap, the first frame sent that could have
 * ended the gap, and the frame that ended it.
 */
export function framesAround(
  frames: readonly FrameLine[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  most: number,
): FrameLine[] {
  const isShown =
    (test: (presentedMs: number) => boolean) =>
    ({ presentedMs }: FrameLine) =>
      presentedMs !== null && test(presentedMs);
  const before = frames.findLastIndex(isShown(ms => ms <= fromMs + sameMomentMs));
  const after = frames.findIndex((frame, i) => i > before && isShown(ms => ms >= toMs - sameMomentMs)(frame));
  const last = Math.max(
    after,
    frames.findLastIndex(({ captureMs }) => captureMs < toMs),
  );
  if (before < 0 || last < 0) return [];
  const first = Math.max(0, before - beside);
  const some = frames.slice(first, last + beside + 1);
  const step = Math.ceil(some.length / most);
  return some.filter((_, i) => [before, before + 1, after].includes(first + i) || i % step === 0);
}
