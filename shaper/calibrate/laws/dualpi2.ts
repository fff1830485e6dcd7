/**
 * Drop law of DualPI2, RFC 9332 appendix A, for classic packets that cannot be marked. The kernel's drops are random,
 * the emulator's are evenly spread; this law spreads them evenly.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import type { Head, Law } from './law.ts';
import { Pi2 } from './pi2.ts';

export class DualPi2 implements Law {
  readonly #base: Pi2;
  #count = 0;
  /** Arrival times of the waiting packets, ms; they give the delay of the first packet. */
  readonly #arrivalsMs: number[] = [];
  #first = 0;
  /** Sum of the drop probabilities of all packets so far. */
  danger = 0;

  constructor(law: Extract<DropLaw, { kind: 'dualpi2' }>) {
    this.#base = new Pi2(law);
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
      const probability = this.#base.ratio ** 2;
      this.danger += probability;
      this.#count += probability;
      if (this.#count <= 1) return true;
      this.#count -= 1;
      head.drop();
    }
    return false;
  }

  #catchUp(nowMs: number): void {
    this.#base.catchUp(nowMs, atMs => {
      const headMs = this.#arrivalsMs[this.#first];
      return headMs === undefined ? 0 : atMs - headMs;
    });
  }
}
