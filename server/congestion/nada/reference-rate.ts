/**
 * The reference rate: grows fast on a free link, else changes gradually with the congestion signal.
 *
 * Source: RFC 8698, section 4.3, equations 3 to 9. An interval between updates that is longer than TAU counts as TAU.
 * Otherwise the first report after a pause of the media would change the rate far too much.
 */
import type { NadaParams } from './params.ts';

export type RateBounds = { minBps: number; maxBps: number };

export class ReferenceRate {
  readonly #params: NadaParams;
  #bounds: RateBounds;
  #rateBps: number;
  /** Congestion signal at the last update (x_prev), ms. */
  #lastSignalMs = 0;

  constructor(params: NadaParams, startBps: number, bounds: RateBounds) {
    this.#params = params;
    this.#bounds = bounds;
    this.#rateBps = startBps;
    this.setBounds(bounds);
  }

  get bounds(): RateBounds {
    return this.#bounds;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  setBounds(bounds: RateBounds): void {
    this.#bounds = bounds;
    this.#set(this.#rateBps);
  }

  /** Updates the rate by accelerated ramp-up from the receiving rate. */
  rampUp(receivingBps: number, rttMs: number, signalMs: number): void {
    const { maxRampUp, rampUpQueue, updateInterval, filterDelay } = this.#params;
    const gamma = Math.min(maxRampUp, rampUpQueue / (rttMs + updateInterval + filterDelay));
    this.#lastSignalMs = signalMs;
    this.#set(Math.max(this.#rateBps, (1 + gamma) * receivingBps));
  }

  /** Updates the rate gradually. `elapsedMs`: time since the last update by this method or `rampUp`. */
  update(signalMs: number, elapsedMs: number): void {
    const { priority, referenceSignal, referenceMaxRate = this.#bounds.maxBps, kappa, eta, tau } = this.#params;
    const offsetMs = signalMs - (priority * referenceSignal * referenceMaxRate) / this.#rateBps;
    const changeMs = signalMs - this.#lastSignalMs;
    this.#lastSignalMs = signalMs;
    this.#set(
      this.#rateBps *
        (1 - (((kappa * Math.min(elapsedMs, tau)) / tau) * offsetMs) / tau - (kappa * eta * changeMs) / tau),
    );
  }

  halve(): void {
    this.#set(this.#rateBps / 2);
  }

  #set(rateBps: number): void {
    this.#rateBps = Math.max(Math.min(rateBps, this.#bounds.maxBps), this.#bounds.minBps);
  }
}
