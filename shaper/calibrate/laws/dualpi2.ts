/**
 * Drop law of DualPI2, RFC 9332 appendix A, for classic packets that cannot be marked. The kernel's drops are random,
 * the emulator's are evenly spread; this law spreads them evenly.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import type { Head, Law } from './law.ts';

/** Longest round-trip time for which the gains of DualPI2 are designed (appendix A.1), s. */
const rttMaxS = 0.1;

export class DualPi2 implements Law {
  readonly #targetS: number;
  readonly #updateMs: number;
  readonly #alphaHz: number;
  readonly #betaHz = 0.3 / rttMaxS;
  #updateAtMs: number | undefined;
  #base = 0;
  #delayOldS = 0;
  #count = 0;
  /** Arrival times of the waiting packets, ms; they give the delay of the first packet. */
  readonly #arrivalsMs: number[] = [];
  #first = 0;
  /** Sum of the drop probabilities of all packets so far. */
  danger = 0;

  constructor({ targetMs, updateMs }: Extract<DropLaw, { kind: 'dualpi2' }>) {
    this.#targetS = targetMs / 1e3;
    this.#updateMs = updateMs;
    this.#alphaHz = (0.1 * updateMs) / 1e3 / rttMaxS ** 2;
  }

  dropsArrival(nowMs: number): boolean {
    this.#catchUp(nowMs);
    this.#arrivalsMs.push(nowMs);
    return false;
  }

  leave(nowMs: number, head: Head): boolean {
    this.#catchUp(nowMs);
    while (head.take() !== undefined) {
      this.#first++;
      const probability = this.#base ** 2;
      this.danger += probability;
      this.#count += probability;
      if (this.#count <= 1) return true;
      this.#count -= 1;
      head.drop();
    }
    return false;
  }

  #catchUp(nowMs: number): void {
    this.#updateAtMs ??= nowMs + this.#updateMs;
    for (; this.#updateAtMs <= nowMs; this.#updateAtMs += this.#updateMs) {
      const headMs = this.#arrivalsMs[this.#first];
      const delayS = headMs === undefined ? 0 : (this.#updateAtMs - headMs) / 1e3;
      const change = this.#alphaHz * (delayS - this.#targetS) + this.#betaHz * (delayS - this.#delayOldS);
      this.#base = Math.min(1, Math.max(0, this.#base + change));
      this.#delayOldS = delayS;
    }
  }
}
