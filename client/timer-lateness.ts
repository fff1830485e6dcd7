/** Timer that measures how late it fires. During this delay the page's main thread was busy. */
const tickMs = 20;

export class TimerLateness {
  #dueMs = performance.now() + tickMs;
  #delayMaxMs = 0;

  constructor() {
    setTimeout(() => this.#tick(), tickMs);
  }

  /** Returns the longest delay of the timer since the last call, ms. */
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
