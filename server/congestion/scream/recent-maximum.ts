/** Maximum of the values in the last `windowMs` milliseconds. */

export class RecentMaximum {
  readonly #windowMs: number;
  /** Values that may become the maximum, with their times: descending, each larger than all later values. */
  readonly #candidates: { value: number; atMs: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Maximum in the window; 0 before the first value. */
  get value(): number {
    return this.#candidates[0]?.value ?? 0;
  }

  /** Adds a value. The newest value never expires. */
  add(value: number, nowMs: number): void {
    while (this.#candidates.length > 0 && this.#candidates.at(-1)!.value <= value) this.#candidates.pop();
    this.#candidates.push({ value, atMs: nowMs });
    while (nowMs - this.#candidates[0]!.atMs > this.#windowMs) this.#candidates.shift();
  }
}
