/** A way over one or more links in a row, and a delay behind the last. What leaves a link goes to the next one at once. */
import type { EventQueue } from './event-queue.ts';
import type { Fate, Sends } from './link.ts';
import type { Tap } from './tap.ts';

export class Way implements Sends {
  readonly #events: EventQueue;
  readonly #taps: readonly Tap[];
  readonly #afterMs: number;

  /** `taps`: at the links, in their order; at least one. `afterMs`: delay behind the last link. */
  constructor(events: EventQueue, taps: readonly Tap[], afterMs: number) {
    this.#events = events;
    this.#taps = taps;
    this.#afterMs = afterMs;
  }

  /** The time in the queue that `decided` gets is that in all queues together. */
  send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void): void {
    this.#enter(0, { sizeBytes, sentMs: nowMs }, nowMs, decided);
  }

  #enter(
    index: number,
    packet: { sizeBytes: number; sentMs: number },
    nowMs: number,
    decided: (fate: Fate) => void,
  ): void {
    const fate = this.#taps[index]!.fateOf(packet.sizeBytes, nowMs);
    if (fate.kind !== 'arrives') return decided(fate);
    if (index + 1 < this.#taps.length)
      return this.#events.at(fate.atMs, laterMs => this.#enter(index + 1, packet, laterMs, decided));
    const queueMs = nowMs - packet.sentMs + fate.queueMs;
    decided({ ...fate, atMs: fate.atMs + this.#afterMs, queueMs });
  }
}
