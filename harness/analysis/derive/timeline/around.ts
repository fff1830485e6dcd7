/** The frames around a time without a new one: those that were on their way meanwhile, and some on either side. */
import { type FrameLine, sameMomentMs } from './frame-line.ts';

/** Frames on either side. */
const beside = 6;

/**
 * `frames`: in the order in which they were taken. Where there are more than `most`, every second, third ... of them,
 * but always the last one shown before, the next one that was sent, which could have ended it first, and the one that
 * ended it.
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
