/** A way over one or more links in a row, and a delay behind the last. What leaves a link goes to the next one at once. */
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { EventQueue } from './event-queue.ts';
import type { Fate, Passes, Sends } from './link.ts';

type Underway = { sizeBytes: number; sentMs: number; ecn: EcnField | undefined };

/** True if one of them says so; they are asked in the order of the links. */
const either = (a: (() => boolean) | undefined, b: (() => boolean) | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : () => [a(), b()].includes(true);

export class Way implements Sends {
  readonly #events: EventQueue;
  readonly #links: readonly Passes[];
  readonly #afterMs: number;

  /** `links`: in their order; at least one. `afterMs`: delay behind the last link. */
  constructor(events: EventQueue, links: readonly Passes[], afterMs: number) {
    this.#events = events;
    this.#links = links;
    this.#afterMs = afterMs;
  }

  /** The time in the queue that `decided` gets is that in all queues together, and a mark that of any of them. */
  send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void, ecn?: EcnField): void {
    this.#enter(0, { sizeBytes, sentMs: nowMs, ecn }, nowMs, undefined, decided);
  }

  #enter(
    index: number,
    packet: Underway,
    nowMs: number,
    before: (() => boolean) | undefined,
    decided: (fate: Fate) => void,
  ): void {
    const fate = this.#links[index]!.fateOf(packet.sizeBytes, nowMs, packet.ecn);
    if (fate.kind !== 'arrives') return decided(fate);
    const isMarked = either(before, fate.isMarked);
    if (index + 1 < this.#links.length)
      return this.#events.at(fate.atMs, laterMs => this.#enter(index + 1, packet, laterMs, isMarked, decided));
    const queueMs = nowMs - packet.sentMs + fate.queueMs;
    const arrival = { kind: 'arrives', atMs: fate.atMs + this.#afterMs, queueMs } as const;
    decided(isMarked === undefined ? arrival : { ...arrival, isMarked });
  }
}
