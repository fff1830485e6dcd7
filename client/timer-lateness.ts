/** A timer that measures its own lateness: how long the main thread of a page kept it waiting. */
const tickMs = 20;

export class TimerLateness {
  #dueMs = performance.now() + tickMs;
  #delayMaxMs = 0;

  constructor() {
    setTimeout(() => this.#tick(), tickMs);
  }

  /** Longest time that the main thread was kept from the timer since the last call, ms. */
  take(): number {
    const delayMaxMs = this.#delayMaxMs;
    this.#delayMaxMs = 0;
    return delayMaxMs;
  }

  #tick(): void {
    const now = performance.now();
    this.#delayMaxMs = Math.max(this.#delayMaxMs, now - this.#dueMs);
    this.#dueMs = now + tickMs;
    setTimeout(() => this.#tick(), tickMs);
  }
}
