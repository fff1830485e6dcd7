/**
 * A timer that measures only its own lateness: whether this process was kept from the processor.
 *
 * Not node:perf_hooks' monitorEventLoopDelay: after a reset that does not see what begins before its next tick.
 */
import { nowMs } from './clock.ts';

/** Time between two ticks, ms. */
const tickMs = 5;

export class TimerLateness {
  readonly #timer: NodeJS.Timeout;
  #lastMs = nowMs();
  #delayMaxMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Longest delay of a tick since the last call, ms; a delay that is not over yet counts as far as it goes. */
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
