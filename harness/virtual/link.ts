/**
 * One bottleneck in virtual time: random loss, then a queue, drop-tail or DualPI2, then a rate that may step, then a
 * fixed delay.
 *
 * The steps are known from the start and the queue is first in, first out, so a packet's fate and arrival
 * are computed when it is sent; the link needs no events. Calls must come in order of time. A mark of DualPI2 depends on
 * what comes later, and is decided when somebody asks for it.
 */
import { deriveSeed, type Random, seededRandom } from '../../core/random.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import { DualPi2, type DualPi2Law } from './dual-pi2.ts';

/** From `atMs` on; what a step does not name stays as it was. A rate of 0 stops the link and keeps the queue. */
export type LinkStep = { atMs: number; rateBps?: number; lossRatio?: number };

type LinkOptions = {
  /** The first must be at 0 and name a rate. */
  steps: readonly LinkStep[];
  /** Longest queue, the packet in transmission included. */
  queueBytes: number;
  /** Delay of the path after the queue. */
  oneWayMs: number;
  seed: number;
  /** The queue is DualPI2 with this law. Its packets must be of one class (dual-pi2.ts). Without it, drop-tail. */
  dualPi2?: DualPi2Law | undefined;
};

/** `queueMs`: waiting and own transmission. `isMarked`: true if the queue has set CE; to be asked after `atMs`. */
export type Fate =
  | { kind: 'arrives'; atMs: number; queueMs: number; isMarked?: () => boolean }
  | { kind: 'dropped' | 'lost' };

/** A packet in the queue. `isMarked`: null while the AQM has not decided. */
type Queued = { arrivedMs: number; startsMs: number; departsMs: number; sizeBytes: number; isMarked: boolean | null };

/** Where packets are sent: a link, or several in a row. `decided`: called with the fate of the packet, at once or later. */
export type Sends = {
  send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void, ecn?: EcnField): void;
};

/** A link, or a link with more around it. Calls must come in order of time. */
export type Passes = { fateOf(sizeBytes: number, nowMs: number, ecn?: EcnField): Fate };

type Segment = { fromMs: number; toMs: number; rateBps: number; lossRatio: number };

export class Link implements Sends, Passes {
  readonly #segments: Segment[];
  readonly #queueBytes: number;
  readonly #oneWayMs: number;
  readonly #random: Random;
  readonly #aqm: DualPi2 | undefined;
  /** Packets in the queue; those before `#head` have left. */
  #queue: Queued[] = [];
  #head = 0;
  /** Packets on which the AQM has not decided, in their order. */
  #undecided: Queued[] = [];
  #queuedBytes = 0;
  #freeMs = 0;

  constructor({ steps, queueBytes, oneWayMs, seed, dualPi2 }: LinkOptions) {
    this.#segments = segments(steps);
    this.#queueBytes = queueBytes;
    this.#oneWayMs = oneWayMs;
    this.#aqm = dualPi2 === undefined ? undefined : new DualPi2(dualPi2);
    this.#random = seededRandom(deriveSeed(seed, 'loss'));
  }

  send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void, ecn?: EcnField): void {
    decided(this.fateOf(sizeBytes, nowMs, ecn));
  }

  /** Sends a packet and returns its fate. */
  fateOf(sizeBytes: number, nowMs: number, ecn: EcnField = 'not-ect'): Fate {
    this.#leave(nowMs);
    const { lossRatio } = this.#segmentAt(nowMs);
    if (lossRatio > 0 && this.#random.next() < lossRatio) return { kind: 'lost' };
    if (this.#queuedBytes + sizeBytes > this.#queueBytes) return { kind: 'dropped' };
    const startsMs = Math.max(nowMs, this.#freeMs);
    // a drop changes what follows, so it is decided at once; a mark of ECT(1) depends on what waits behind the packet
    const decided = ecn === 'ect1' ? null : this.#aqm?.leave({ arrivedMs: nowMs, startsMs, behind: 0, ecn });
    if (decided === 'dropped') return { kind: 'dropped' };
    const departsMs = this.#transmitted(startsMs, sizeBytes * 8);
    this.#freeMs = departsMs;
    const isMarked = decided === null ? null : decided === 'marked';
    const queued: Queued = { arrivedMs: nowMs, startsMs, departsMs, sizeBytes, isMarked };
    this.#queue.push(queued);
    this.#queuedBytes += sizeBytes;
    const fate = { kind: 'arrives', atMs: departsMs + this.#oneWayMs, queueMs: departsMs - nowMs } as const;
    if (this.#aqm === undefined) return fate;
    if (isMarked === null) this.#undecided.push(queued);
    return { ...fate, isMarked: () => queued.isMarked ?? this.#decide(queued) };
  }

  /** Decides on all packets up to this one. Returns true if it is marked. */
  #decide(last: Queued): boolean {
    while (last.isMarked === null) {
      const one = this.#undecided.shift()!;
      const { arrivedMs, startsMs } = one;
      const behind = this.#undecided.findIndex(later => later.arrivedMs > startsMs);
      const waiting = behind === -1 ? this.#undecided.length : behind;
      one.isMarked = this.#aqm!.leave({ arrivedMs, startsMs, behind: waiting, ecn: 'ect1' }) === 'marked';
    }
    return last.isMarked;
  }

  /** Returns the capacity of the link in that time, bits. */
  capacityBits(fromMs: number, toMs: number): number {
    return this.#segments.reduce(
      (bits, segment) =>
        bits + (Math.max(0, Math.min(toMs, segment.toMs) - Math.max(fromMs, segment.fromMs)) * segment.rateBps) / 1000,
      0,
    );
  }

  #leave(nowMs: number): void {
    while (this.#head < this.#queue.length && this.#queue[this.#head]!.departsMs <= nowMs) {
      this.#queuedBytes -= this.#queue[this.#head++]!.sizeBytes;
    }
    if (this.#head < 1024) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }

  #segmentAt(nowMs: number): Segment {
    return this.#segments.find(({ toMs }) => nowMs < toMs)!;
  }

  /** Returns when `bits`, begun at `fromMs`, are through; Infinity if the link stays stopped. */
  #transmitted(fromMs: number, bits: number): number {
    let left = bits;
    for (const { fromMs: start, toMs, rateBps } of this.#segments) {
      if (toMs <= fromMs) continue;
      const beginMs = Math.max(fromMs, start);
      const possible = ((toMs - beginMs) * rateBps) / 1000;
      if (rateBps > 0 && left <= possible) return beginMs + (left * 1000) / rateBps;
      if (rateBps > 0) left -= possible;
    }
    return Infinity;
  }
}

function segments(steps: readonly LinkStep[]): Segment[] {
  let rateBps = 0;
  let lossRatio = 0;
  return steps.map((step, index) => {
    rateBps = step.rateBps ?? rateBps;
    lossRatio = step.lossRatio ?? lossRatio;
    return { fromMs: step.atMs, toMs: steps[index + 1]?.atMs ?? Infinity, rateBps, lossRatio };
  });
}
