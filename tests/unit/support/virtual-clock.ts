/** A clock that does not wait: it goes on to the next timer when nothing else happens. */
import type { Clock } from '../../../core/system/clock.ts';

/** Turns of the event loop in which nothing may be left to do before time goes on. */
const idleTurns = 8;
/** Without any timer, what is waited for can only come from files: for so many turns, 1 ms each. */
const patienceTurns = 2000;

type Timer = { atMs: number; then: () => void };

export class VirtualClock implements Clock {
  #nowMs: number;
  #timers: Timer[] = [];

  constructor(nowMs = 1_000_000) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, ms), then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer);
    };
  }

  /** Lets time pass until the promise is settled. Throws where nothing is left that could settle it. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const settled = () => {
      isOver = true;
    };
    promise.then(settled, settled);
    for (let patience = patienceTurns; !isOver; ) {
      for (let turn = 0; turn < idleTurns; turn++) await new Promise(resolve => setImmediate(resolve));
      if (isOver) break;
      const next = this.#timers.reduce<Timer | undefined>(
        (first, timer) => (first === undefined || timer.atMs < first.atMs ? timer : first),
        undefined,
      );
      if (next !== undefined) {
        this.#timers = this.#timers.filter(timer => timer !== next);
        this.#nowMs = Math.max(this.#nowMs, next.atMs);
        next.then();
      } else if (patience-- === 0) throw new Error('nothing is going to happen any more');
      else await new Promise(resolve => setTimeout(resolve, 1));
    }
    return promise;
  }
}
