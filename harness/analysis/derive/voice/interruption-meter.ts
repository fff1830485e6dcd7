/**
 * Interruptions of a voice while a trial runs, by what the listener's browser says of concealment (W3C webrtc-stats,
 * `concealedSamples` and `concealmentEvents`). After the trial the samples that were heard are compared with those that
 * were spoken instead (gaps.ts).
 *
 * The browser tells how many concealments began and how long all of them are. Those that begin between two readings count
 * as equally long, so an interruption among short concealments may be missed.
 */
import { interruptionMs } from '../../../../core/vocabulary/interruption.ts';
import { voiceRateHz } from '../../../../core/vocabulary/voice.ts';

/** Number of interruptions, and their time together. */
export type Interruptions = { count: number; totalMs: number };

/** Counters of getStats, by their names there. */
type Counters = { concealedSamples?: unknown; concealmentEvents?: unknown };

export class InterruptionMeter {
  #last: { concealedMs: number; events: number } | undefined;
  /** Length of the newest concealment so far, ms. */
  #openMs = 0;
  #sum: Interruptions = { count: 0, totalMs: 0 };

  /** Adds a reading of the counters of a received voice; one without them is left out. */
  add({ concealedSamples: concealed, concealmentEvents: events }: Counters): void {
    if (typeof concealed !== 'number' || typeof events !== 'number') return;
    const now = { concealedMs: (concealed * 1000) / voiceRateHz, events };
    const before = this.#last ?? now;
    this.#last = now;
    const grownMs = Math.max(0, now.concealedMs - before.concealedMs);
    const begun = now.events - before.events;
    if (begun <= 0) return this.#lengthen(grownMs);
    for (let k = 0; k < begun; k++) {
      this.#openMs = 0;
      this.#lengthen(grownMs / begun);
    }
  }

  /** Begins to count anew. */
  reset(): void {
    this.#openMs = 0;
    this.#sum = { count: 0, totalMs: 0 };
  }

  /** Returns the interruptions since the meter was made or reset; null if the browser reports no voice. */
  read(): Interruptions | null {
    return this.#last === undefined ? null : this.#sum;
  }

  /** Lengthens the newest concealment, which is an interruption from `interruptionMs` on. */
  #lengthen(ms: number): void {
    const before = this.#openMs;
    this.#openMs += ms;
    if (this.#openMs < interruptionMs) return;
    const { count, totalMs } = this.#sum;
    this.#sum =
      before >= interruptionMs
        ? { count, totalMs: totalMs + ms }
        : { count: count + 1, totalMs: totalMs + this.#openMs };
  }
}
