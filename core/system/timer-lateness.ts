/**
 * A timer that measures its own lateness: the time for which this process got no processor.
 *
 * monitorEventLoopDelay of node:perf_hooks is not used: after a reset it misses delays that begin before its next tick.
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
   * Returns the longest delay of a tick since the last call, ms. A delay that has not ended counts with its current
   * length.
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
