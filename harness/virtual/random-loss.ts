/** Random loss around a link in virtual time: independent for every packet, or in bursts (Gilbert-Elliott). */
import { deriveSeed, type Random, seededRandom } from '../../core/random.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { LossModel } from '../../core/vocabulary/link.ts';
import type { Fate, Passes } from './link.ts';

export class RandomLoss implements Passes {
  readonly #inner: Passes;
  readonly #loss: LossModel;
  readonly #random: Random;
  #isBad = false;

  constructor(inner: Passes, loss: LossModel, seed: number) {
    this.#inner = inner;
    this.#loss = loss;
    this.#random = seededRandom(deriveSeed(seed, 'random loss'));
  }

  /** A packet that is lost before the queue takes no room in it; one that is lost after it does. */
  fateOf(sizeBytes: number, nowMs: number, ecn?: EcnField): Fate {
    const isLost = this.#loses();
    if (isLost && this.#loss.where === 'before') return { kind: 'lost' };
    const fate = this.#inner.fateOf(sizeBytes, nowMs, ecn);
    return isLost && fate.kind === 'arrives' ? { kind: 'lost' } : fate;
  }

  #loses(): boolean {
    const loss = this.#loss;
    if (loss.kind === 'independent') return this.#random.next() < loss.ratio;
    const isLost = this.#random.next() < (this.#isBad ? loss.badLossRatio : loss.goodLossRatio);
    const changes = this.#random.next() < (this.#isBad ? loss.toGoodRatio : loss.toBadRatio);
    if (changes) this.#isBad = !this.#isBad;
    return isLost;
  }
}
