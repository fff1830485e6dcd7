/**
 * What happened to the packets of the last half second: the shares that were lost and marked, and whether the link was
 * free.
 *
 * Source: RFC 8698, sections 4.2 (the two conditions of accelerated ramp-up) and 5.1.2 (instantaneous ratios).
 * The window goes by sending times, which lost packets have, too.
 */

/** A packet; `delayMs` is its queue delay, null where it was lost; `isMarked`: with Congestion Experienced. */
type Observation = { sentMs: number; delayMs: number | null; isMarked: boolean };

export class ObservationWindow {
  readonly #windowMs: number;
  #observations: Observation[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a report's packets, in the order in which they were sent. */
  add(observations: readonly Observation[]): void {
    const all = [...this.#observations, ...observations];
    const newestMs = all.reduce((newest, { sentMs }) => Math.max(newest, sentMs), -Infinity);
    this.#observations = all.filter(({ sentMs }) => newestMs - sentMs < this.#windowMs);
  }

  /** 0 to 1; 0 without packets. */
  get lossRatio(): number {
    return this.#share(({ delayMs }) => delayMs === null);
  }

  /** 0 to 1; 0 without packets. */
  get markRatio(): number {
    return this.#share(({ isMarked }) => isMarked);
  }

  /** Whether nothing was lost and every delay is shorter than `delayMs`. */
  isClear(thresholdMs: number): boolean {
    return this.#observations.every(({ delayMs }) => delayMs !== null && delayMs < thresholdMs);
  }

  #share(is: (observation: Observation) => boolean): number {
    return this.#observations.length === 0 ? 0 : this.#observations.filter(is).length / this.#observations.length;
  }
}
