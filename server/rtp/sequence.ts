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
    if (this.#newest === undefined) {
      this.#newest = value;
      return value;
    }
    let difference = (value - this.#newest) % this.#range;
    if (difference >= this.#range / 2) difference -= this.#range;
    if (difference < -this.#range / 2) difference += this.#range;
    const unwrapped = this.#newest + difference;
    if (unwrapped > this.#newest) this.#newest = unwrapped;
    return unwrapped;
  }
}
