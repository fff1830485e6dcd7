/** Counts what a flow sends through a link, in bins of equal length by the time at which packets leave the queue. */
import { median } from '../../core/stats/quantile.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { Fate, Link, Passes } from './link.ts';

export class Tap implements Passes {
  readonly #link: Link;
  readonly #originMs: number;
  readonly #binMs: number;
  readonly bits: number[];
  readonly sentPackets: number[];
  readonly droppedPackets: number[];
  readonly #delays: number[][];

  /** `originMs`: start of the first of `bins` bins. */
  constructor(link: Link, { originMs, binMs, bins }: { originMs: number; binMs: number; bins: number }) {
    this.#link = link;
    this.#originMs = originMs;
    this.#binMs = binMs;
    const empty = () => new Array<number>(bins).fill(0);
    [this.bits, this.sentPackets, this.droppedPackets] = [empty(), empty(), empty()];
    this.#delays = Array.from({ length: bins }, () => []);
  }

  /** Sends a packet through the link and returns its fate. */
  fateOf(sizeBytes: number, nowMs: number, ecn?: EcnField): Fate {
    const fate = this.#link.fateOf(sizeBytes, nowMs, ecn);
    if (fate.kind !== 'arrives') {
      this.#add(this.droppedPackets, nowMs, 1);
      return fate;
    }
    const leftMs = nowMs + fate.queueMs;
    this.#add(this.bits, leftMs, 8 * sizeBytes);
    this.#add(this.sentPackets, leftMs, 1);
    this.#delays[this.#bin(leftMs)]?.push(fate.queueMs);
    return fate;
  }

  /** Median time in the queue of what left in each bin, ms; null for a bin in which nothing left. */
  get delayMs(): (number | null)[] {
    return this.#delays.map(delays => median(delays) ?? null);
  }

  #bin(timeMs: number): number {
    return Math.floor((timeMs - this.#originMs) / this.#binMs);
  }

  #add(values: number[], timeMs: number, value: number): void {
    const bin = this.#bin(timeMs);
    if (bin >= 0 && bin < values.length) values[bin]! += value;
  }
}
