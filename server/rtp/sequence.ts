/** Turns sequence numbers that wrap into numbers that do not wrap. */

/**
 * Unwraps a counter of `bits` bits. Of all numbers that a value can stand for, `unwrap` returns the one nearest to the
 * newest number so far. Values may therefore arrive out of order by up to half the range.
 */
export class Unwrapper {
  #newest: number | undefined;
  readonly #range: number;

  constructor(bits: number) {
    this.#range = 2 ** bits;
  }

  unwrap(value: number): number {
    const unwrapped = this.peek(value);
    this.#newest = Math.max(unwrapped, this.#newest ?? unwrapped);
    return unwrapped;
  }

  /** Returns the unwrapped number without recording it as the newest number. */
  peek(value: number): number {
    if (this.#newest === undefined) return value;
    let difference = (value - this.#newest) % this.#range;
    if (difference >= this.#range / 2) difference -= this.#range;
    if (difference < -this.#range / 2) difference += this.#range;
    return this.#newest + difference;
  }
}
