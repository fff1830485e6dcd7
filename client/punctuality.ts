/** The main thread's own punctuality: a timer that notices how late it is. */
const tickMs = 20;

export class Punctuality {
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
