/**
 * The receiving rate: bytes that arrived in the observation window, divided by the window's length. The rate is too low
 * until the first window is full. The ramp-up tolerates this error, because it takes the larger of the old and the new
 * rate.
 *
 * Source: RFC 8698, section 5.1.3.
 */

type Arrival = { receivedMs: number; sizeBytes: number };

export class ReceivingRate {
  readonly #windowMs: number;
  #arrivals: Arrival[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /**
   * Adds the received packets of a report. Drops all arrivals that differ from the newest arrival by more than the
   * window: they are too old, or the clock has changed.
   */
  add(arrivals: readonly Arrival[]): void {
    const newest = arrivals.at(-1);
    if (newest === undefined) return;
    this.#arrivals = [...this.#arrivals, ...arrivals].filter(
      ({ receivedMs }) => Math.abs(newest.receivedMs - receivedMs) < this.#windowMs,
    );
  }

  get rateBps(): number {
    return (this.#arrivals.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0) * 8000) / this.#windowMs;
  }
}
