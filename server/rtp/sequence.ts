/** Unwraps sequence numbers to numbers that do not wrap. */

/**
 * Unwraps a counter of `bits` bits. Each value becomes the nearest one to the newest value so far, so values may arrive
 * out of order by up to half the range.
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

  /** Returns the unwrapped value without remembering it as the newest. */
  peek(value: number): number {
    if (this.#newest === undefined) return value;
    let difference = (value - this.#newest) % this.#range;
    if (difference >= this.#range / 2) difference -= this.#range;
    if (difference < -this.#range / 2) difference += this.#range;
    return this.#newest + difference;
  }
}
