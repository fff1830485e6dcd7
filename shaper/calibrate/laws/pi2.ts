/** Base probability of DualPI2, p' of RFC 9332, appendix A.1: a PI controller of the queue delay. */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';

/** Longest round-trip time for which the gains are designed, s. */
const rttMaxS = 0.1;
const betaHz = 0.3 / rttMaxS;

export class Pi2 {
  readonly #targetS: number;
  readonly #updateMs: number;
  readonly #alphaHz: number;
  #updateAtMs: number | undefined;
  #delayOldS = 0;
  /** p', from 0 to 1. */
  ratio = 0;

  constructor({ targetMs, updateMs }: Pick<Extract<DropLaw, { kind: 'dualpi2' }>, 'targetMs' | 'updateMs'>) {
    this.#targetS = targetMs / 1e3;
    this.#updateMs = updateMs;
    this.#alphaHz = (0.1 * updateMs) / 1e3 / rttMaxS ** 2;
  }

  /** Makes the updates up to this time. `delayMsAt`: returns how long the first packet has waited at a time, ms. */
  catchUp(nowMs: number, delayMsAt: (atMs: number) => number): void {
    this.#updateAtMs ??= nowMs + this.#updateMs;
    for (; this.#updateAtMs <= nowMs; this.#updateAtMs += this.#updateMs) {
      const delayS = delayMsAt(this.#updateAtMs) / 1e3;
      const change = this.#alphaHz * (delayS - this.#targetS) + betaHz * (delayS - this.#delayOldS);
      this.ratio = Math.min(1, Math.max(0, this.ratio + change));
      this.#delayOldS = delayS;
    }
  }
}
