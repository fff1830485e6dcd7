/**
 * What happened to the packets of the last half second: the share that was lost, and whether the link was free.
 *
 * Source: RFC 8698, sections 4.2 (the two conditions of accelerated ramp-up) and 5.1.2 (instantaneous loss ratio).
 * The window goes by sending times, which lost packets have, too.
 */

/** A packet; `delayMs` is its queue delay, null where it was lost. */
type Observation = { sentMs: number; delayMs: number | null };

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
    const lost = this.#observations.filter(({ delayMs }) => delayMs === null).length;
    return lost === 0 ? 0 : lost / this.#observations.length;
  }

  /** Whether nothing was lost and every delay is shorter than `delayMs`. */
  isClear(thresholdMs: number): boolean {
    return this.#observations.every(({ delayMs }) => delayMs !== null && delayMs < thresholdMs);
  }
}
