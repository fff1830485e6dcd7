/** Computes goodput from two readings of a byte counter. */
import type { LiveValues } from '../service.ts';

export class Goodput {
  #last: { timeMs: number; bytes: number } | undefined;

  /** Returns the live values of a service without frames. Goodput is 0 at the first reading. */
  since(timeMs: number, bytes: number): LiveValues {
    const before = this.#last ?? { timeMs, bytes };
    this.#last = { timeMs, bytes };
    return {
      framesPerSecond: null,
      goodputBps: ((bytes - before.bytes) * 8000) / Math.max(1, timeMs - before.timeMs),
      lost: false,
    };
  }
}
