/** What is known when a gap is judged. */

import type { SkippedFrameLine } from '../../../record/series/frames.sent.ts';
import type { FrameLine } from '../timeline/frame-line.ts';
import type { Blocking } from './blocking.ts';
import { ms } from './sentences.ts';
import type { Surroundings } from './surroundings.ts';

export type Evidence = {
  blocking: Blocking;
  /** The last frame up to the one before the gap that the queue log has at the bottleneck; null where none is. */
  logged: FrameLine | null;
  gap: { fromMs: number; toMs: number };
  /** Time that the part under judgement added, ms. */
  addedMs: number;
  surroundings: Surroundings;
  /** Frames that were not taken between the last one shown and the one that came next. */
  skipped: readonly SkippedFrameLine[];
  hasQueueLog: boolean;
};

/** A delay of a host explains a gap where it is at least this share of what was added. */
const enough = 0.5;

/** Whether a delay accounts for what was added; the sentence's end. */
export function hostDelay(addedMs: number, delays: readonly { who: string; delayMs: number }[]): string | null {
  const worst = delays.reduce((a, b) => (b.delayMs > a.delayMs ? b : a));
  return worst.delayMs >= enough * addedMs ? `${worst.who} was held up for ${ms(worst.delayMs)} in that second` : null;
}

/** The sender's host, or the machine. */
export function senderDelay({ gap, addedMs, surroundings }: Evidence): string | null {
  return hostDelay(addedMs, [
    { who: "the sender's process", delayMs: surroundings.senderDelayMs(gap.fromMs, gap.toMs) },
    { who: 'a thread that only sleeps', delayMs: surroundings.machineDelayMs(gap.fromMs, gap.toMs) },
  ]);
}

/** The receiver's host, or the machine. */
export function receiverDelay({ gap, addedMs, surroundings }: Evidence): string | null {
  return hostDelay(addedMs, [
    { who: "the browser's page", delayMs: surroundings.pageDelayMs(gap.fromMs, gap.toMs) },
    { who: 'a thread that only sleeps', delayMs: surroundings.machineDelayMs(gap.fromMs, gap.toMs) },
  ]);
}
