/** Computes the minimum or maximum of a sliding time window. The design follows no published source. */
export class WindowedExtreme {
  readonly #isBetter: (a: number, b: number) => boolean;
  /**
   * Values that are or may become the extreme of the window, from the oldest, which is the best, to the newest. Each
   * value is better than all later ones.
   */
  #values: { value: number; atMs: number }[] = [];

  constructor(kind: 'least' | 'greatest') {
    this.#isBetter = kind === 'least' ? (a, b) => a < b : (a, b) => a > b;
  }

  /**
   * Adds a value, and removes values that are older than the window of `windowMs`. `atMs` must not decrease. The newest
   * value always stays in the window.
   */
  add(value: number, atMs: number, windowMs: number): void {
    while (this.#values.length > 0 && !this.#isBetter(this.#values.at(-1)!.value, value)) this.#values.pop();
    this.#values.push({ value, atMs });
    const first = this.#values.findIndex(old => atMs - old.atMs <= windowMs);
    if (first > 0) this.#values.splice(0, first);
  }

  /** Extreme value in the window. Undefined before the first value. */
  get value(): number | undefined {
    return this.#values[0]?.value;
  }

  /**
   * Returns the extreme of those values in the window that were added later than `atMs`. Undefined if there are none.
   */
  after(atMs: number): number | undefined {
    return this.#values.find(value => value.atMs > atMs)?.value;
  }
}
