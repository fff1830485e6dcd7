/** Finds the frame size that the viewer's screen showed for most of the time. */

import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { Window } from '../../record/trial-record.ts';

type FrameSize = { width: number; height: number };

/**
 * Returns the frame size that was shown longest in the window. `presented`: frames in the order of presentation.
 * Undefined if no frame was shown in the window.
 */
export function majoritySize(
  presented: readonly PresentedFrameRecord[],
  { startMs, endMs }: Window,
): FrameSize | undefined {
  const frames = presented.filter(frame => frame.presentationMs <= endMs);
  const shownMs = new Map<string, { size: FrameSize; ms: number }>();
  for (const [i, { presentationMs, width, height }] of frames.entries()) {
    const from = Math.max(startMs, presentationMs);
    const ms = (frames[i + 1]?.presentationMs ?? endMs) - from;
    if (ms <= 0) continue;
    const key = `${width} ${height}`;
    shownMs.set(key, { size: { width, height }, ms: (shownMs.get(key)?.ms ?? 0) + ms });
  }
  return [...shownMs.values()].sort((a, b) => b.ms - a.ms)[0]?.size;
}
