/**
 * Timer that measures how late it fires. During this delay the process was busy or got no processor.
 *
 * monitorEventLoopDelay of node:perf_hooks is not used, because after a reset it misses delays that begin before its
 * next tick.
 */
import { nowMs } from './clock.ts';

const tickMs = 5;

export class TimerLateness {
  readonly #timer: NodeJS.Timeout;
  #lastMs = nowMs();
  #delayMaxMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /**
   * Returns the longest delay of the timer since the last call, ms. A delay that still lasts counts with its length so
   * far.
   */
  take(): number {
    this.#tick();
    const delayMs = this.#delayMaxMs;
    this.#delayMaxMs = 0;
    return delayMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = nowMs();
    this.#delayMaxMs = Math.max(this.#delayMaxMs, now - this.#lastMs - tickMs);
    this.#lastMs = now;
  }
}
