/** Adds up the counters of video elements over consecutive visits. Has no clock and no I/O. */
import type { ElementReading } from '../../../client/wire.ts';

type Counts = Pick<ElementReading, 'stalls' | 'stalledMs' | 'presentedFrames' | 'droppedFrames'>;
type Shown = Counts & Pick<ElementReading, 'width' | 'height' | 'positionS' | 'bufferS'>;

const none: Counts = { stalls: 0, stalledMs: 0, presentedFrames: 0, droppedFrames: 0 };

export class Watched {
  /** Sums of the visits that have ended. */
  #before: Counts = none;
  /** Counters of the current visit. */
  #now: Counts = none;
  #last: { timeMs: number; frames: number } | undefined;

  /** Begins the next visit, whose counters start at 0. */
  next(): void {
    this.#before = this.#total;
    this.#now = none;
    this.#last = undefined;
  }

  add(
    { width, height, positionS, bufferS, stalls, stalledMs, presentedFrames, droppedFrames }: ElementReading,
    timeMs: number,
  ): Shown & { framesPerSecond: number } {
    this.#now = { stalls, stalledMs, presentedFrames, droppedFrames };
    const last = this.#last ?? { timeMs, frames: presentedFrames };
    this.#last = { timeMs, frames: presentedFrames };
    // the counters of a new video element start at 0
    const framesPerSecond = (Math.max(0, presentedFrames - last.frames) * 1000) / Math.max(1, timeMs - last.timeMs);
    return { width, height, positionS, bufferS, ...this.#total, framesPerSecond };
  }

  get #total(): Counts {
    const [a, b] = [this.#before, this.#now];
    return {
      stalls: a.stalls + b.stalls,
      stalledMs: a.stalledMs + b.stalledMs,
      presentedFrames: a.presentedFrames + b.presentedFrames,
      droppedFrames: a.droppedFrames + b.droppedFrames,
    };
  }
}
