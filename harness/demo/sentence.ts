/** What a viewer sees now, in one plain sentence. */
import { stallThresholdMs } from '../derive/stalls.ts';

export type View = {
  /** The connection has given up for good. */
  lost: boolean;
  /** Null before the first picture. */
  sinceLastMs: number | null;
  framesPerSecond: number;
};

export function isFrozen({ sinceLastMs }: Pick<View, 'sinceLastMs'>): boolean {
  return sinceLastMs !== null && sinceLastMs > stallThresholdMs;
}

/** `rttMs`: null where no probe came back lately; left out where there are none. */
export function sentenceOf(view: View, rttMs?: number | null): string {
  if (view.lost) return 'The connection has given up';
  if (view.sinceLastMs === null) return 'No picture yet';
  if (isFrozen(view)) return `Frozen for ${(view.sinceLastMs / 1000).toFixed(1)} s`;
  const frames = `${view.framesPerSecond.toFixed(1)} frames per second`;
  if (rttMs === undefined) return frames;
  return `${frames}, ${rttMs === null ? 'no probe comes back' : `${rttMs.toFixed(rttMs < 1 ? 2 : rttMs < 100 ? 1 : 0)} ms round trip`}`;
}
