/** Maximum of the values in a time window. */

export class RecentMaximum {
  readonly #windowMs: number;
  /** Descending values with their times; each is the largest since its time. */
  readonly #candidates: { value: number; atMs: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** 0 before the first value. */
  get value(): number {
    return this.#candidates[0]?.value ?? 0;
  }

  /** Adds a value. The newest value stays at any age. */
  add(value: number, nowMs: number): void {
    while (this.#candidates.length > 0 && this.#candidates.at(-1)!.value <= value) this.#candidates.pop();
    this.#candidates.push({ value, atMs: nowMs });
    while (nowMs - this.#candidates[0]!.atMs > this.#windowMs) this.#candidates.shift();
  }
}
