/** Evidence from which the cause of a gap is judged. */

import type { SkippedFrameLine } from '../../../record/series/frames.sent.ts';
import type { FrameLine } from '../timeline/frame-line.ts';
import type { Blocking } from './blocking.ts';
import { ms } from './sentences.ts';
import type { Surroundings } from './surroundings.ts';

export type Evidence = {
  blocking: Blocking;
  /**
   * Newest frame whose last packet is in the queue log, among the frames up to the last one shown before the gap; null
   * if there is no such frame.
   */
  logged: FrameLine | null;
  gap: { fromMs: number; toMs: number };
  /** Time that the judged part of the path added to the gap, ms. */
  addedMs: number;
  surroundings: Surroundings;
  /** Frames that were skipped between the last frame shown and the next one. */
  skipped: readonly SkippedFrameLine[];
  hasQueueLog: boolean;
};

/** Part of the evidence that says when something was late, and by how much. */
export type Delay = Pick<Evidence, 'gap' | 'addedMs' | 'surroundings'>;

/** Share of the added time that a host's delay must reach to explain the gap. */
const enough = 0.5;

/** Returns the end of the evidence sentence if the longest of `delays` explains the added time; null otherwise. */
export function hostDelay(addedMs: number, delays: readonly { who: string; delayMs: number }[]): string | null {
  const worst = delays.reduce((a, b) => (b.delayMs > a.delayMs ? b : a));
  return worst.delayMs >= enough * addedMs ? `${worst.who} was held up for ${ms(worst.delayMs)} in that second` : null;
}

/**
 * Returns the end of the evidence sentence if a delay of the sender's host or of the machine explains the gap; null
 * otherwise.
 */
export function senderDelay({ gap, addedMs, surroundings }: Delay): string | null {
  return hostDelay(addedMs, [
    { who: "the sender's process", delayMs: surroundings.senderDelayMs(gap.fromMs, gap.toMs) },
    { who: 'a thread that only sleeps', delayMs: surroundings.machineDelayMs(gap.fromMs, gap.toMs) },
  ]);
}

/**
 * Returns the end of the evidence sentence if a delay of the receiver's host or of the machine explains the gap; null
 * otherwise.
 */
export function receiverDelay({ gap, addedMs, surroundings }: Delay): string | null {
  return hostDelay(addedMs, [
    { who: "the browser's page", delayMs: surroundings.pageDelayMs(gap.fromMs, gap.toMs) },
    { who: 'a thread that only sleeps', delayMs: surroundings.machineDelayMs(gap.fromMs, gap.toMs) },
  ]);
}
