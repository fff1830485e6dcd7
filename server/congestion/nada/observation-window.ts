/**
 * Packets of the observation window (half a second in the RFC): shares of lost and of marked packets, and the test for
 * an uncongested link.
 *
 * Source: RFC 8698, sections 4.2 (the two conditions of accelerated ramp-up) and 5.1.2 (instantaneous ratios). The
 * window uses send times, because lost packets have no arrival times.
 */

/**
 * A reported packet. `delayMs`: its queue delay, null if the packet is lost. `isMarked`: true if it arrived with
 * Congestion Experienced.
 */
type Observation = { sentMs: number; delayMs: number | null; isMarked: boolean };

export class ObservationWindow {
  readonly #windowMs: number;
  #observations: Observation[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds the packets of a report, in send order. */
  add(observations: readonly Observation[]): void {
    const all = [...this.#observations, ...observations];
    const newestMs = all.reduce((newest, { sentMs }) => Math.max(newest, sentMs), -Infinity);
    this.#observations = all.filter(({ sentMs }) => newestMs - sentMs < this.#windowMs);
  }

  /** Share of lost packets in the window, 0 to 1; 0 without packets. */
  get lossRatio(): number {
    return this.#share(({ delayMs }) => delayMs === null);
  }

  /** Share of marked packets in the window, 0 to 1; 0 without packets. */
  get markRatio(): number {
    return this.#share(({ isMarked }) => isMarked);
  }

  /** True if no packet of the window is lost and all queue delays are below the threshold. */
  isClear(thresholdMs: number): boolean {
    return this.#observations.every(({ delayMs }) => delayMs !== null && delayMs < thresholdMs);
  }

  #share(is: (observation: Observation) => boolean): number {
    return this.#observations.length === 0 ? 0 : this.#observations.filter(is).length / this.#observations.length;
  }
}
