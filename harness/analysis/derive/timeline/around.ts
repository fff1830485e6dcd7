/** Frames around a gap: those in flight during the gap, and some before and after. */
import { type FrameLine, sameMomentMs } from './frame-line.ts';

/** Number of frames before and after the gap. */
const beside = 6;

/**
 * `frames`: in capture order. Beyond `most` frames only every second, third ... is returned, but always the last one
 * shown before the gap, the first one sent that could have ended it, and the one that ended it.
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
