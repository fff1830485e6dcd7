/** The largest of the values of the last seconds. */

export class RecentMaximum {
  readonly #windowMs: number;
  /** Falling values with their times: each is the largest of those since it came. */
  readonly #candidates: { value: number; atMs: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** 0 before the first value. */
  get value(): number {
    return this.#candidates[0]?.value ?? 0;
  }

  /** The newest value stays, however old it gets. */
  add(value: number, nowMs: number): void {
    while (this.#candidates.length > 0 && this.#candidates.at(-1)!.value <= value) this.#candidates.pop();
    this.#candidates.push({ value, atMs: nowMs });
    while (nowMs - this.#candidates[0]!.atMs > this.#windowMs) this.#candidates.shift();
  }
}
