/** Sequence numbers that wrap: unwrapping them to numbers that only grow, and comparing them. */

/**
 * Unwraps a counter of `bits` bits. Each value is taken as the one nearest to the newest seen, so values
 * may arrive out of order by up to half the range.
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

  /** What a value unwraps to, without counting as seen. */
  peek(value: number): number {
    if (this.#newest === undefined) return value;
    let difference = (value - this.#newest) % this.#range;
    if (difference >= this.#range / 2) difference -= this.#range;
    if (difference < -this.#range / 2) difference += this.#range;
    return this.#newest + difference;
  }
}
