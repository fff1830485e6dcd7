/** Delay in virtual time that changes at known times, behind a link. Packets keep their order. */
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { Fate, Passes } from './link.ts';

/** From `atMs` on, packets that are sent take so much longer. The first is at 0. */
type DelayStep = { atMs: number; delayMs: number };

export class AddedDelay implements Passes {
  readonly #inner: Passes;
  readonly #steps: readonly DelayStep[];
  #lastMs = 0;

  constructor(inner: Passes, steps: readonly DelayStep[]) {
    this.#inner = inner;
    this.#steps = steps;
  }

  fateOf(sizeBytes: number, nowMs: number, ecn?: EcnField): Fate {
    const fate = this.#inner.fateOf(sizeBytes, nowMs, ecn);
    if (fate.kind !== 'arrives') return fate;
    const { delayMs } = this.#steps.findLast(({ atMs }) => atMs <= nowMs)!;
    this.#lastMs = Math.max(this.#lastMs, fate.atMs + delayMs);
    return { ...fate, atMs: this.#lastMs };
  }
}
