/**
 * One bottleneck in virtual time: random loss, then a drop-tail queue, then a rate that may step, then a
 * fixed delay.
 *
 * The steps are known from the start and the queue is first in, first out, so a packet's fate and arrival
 * are computed when it is sent; the link needs no events. Calls must come in order of time.
 */
import { deriveSeed, type Random, seededRandom } from '../../core/random.ts';

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
};

/** `queueMs`: waiting and own transmission. */
export type Fate = { kind: 'arrives'; atMs: number; queueMs: number } | { kind: 'dropped' | 'lost' };

/** Where packets are sent: a link, or several in a row. `decided`: called with the fate of the packet, at once or later. */
export type Sends = { send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void): void };

type Segment = { fromMs: number; toMs: number; rateBps: number; lossRatio: number };

export class Link implements Sends {
  readonly #segments: Segment[];
  readonly #queueBytes: number;
  readonly #oneWayMs: number;
  readonly #random: Random;
  /** Departures and sizes of the packets in the queue; those before `#head` have left. */
  #queue: { departsMs: number; sizeBytes: number }[] = [];
  #head = 0;
  #queuedBytes = 0;
  #freeMs = 0;

  constructor({ steps, queueBytes, oneWayMs, seed }: LinkOptions) {
    this.#segments = segments(steps);
    this.#queueBytes = queueBytes;
    this.#oneWayMs = oneWayMs;
    this.#random = seededRandom(deriveSeed(seed, 'loss'));
  }

  send(sizeBytes: number, nowMs: number, decided: (fate: Fate) => void): void {
    decided(this.fateOf(sizeBytes, nowMs));
  }

  /** Sends a packet and returns its fate. */
  fateOf(sizeBytes: number, nowMs: number): Fate {
    this.#leave(nowMs);
    const { lossRatio } = this.#segmentAt(nowMs);
    if (lossRatio > 0 && this.#random.next() < lossRatio) return { kind: 'lost' };
    if (this.#queuedBytes + sizeBytes > this.#queueBytes) return { kind: 'dropped' };
    const departsMs = this.#transmitted(Math.max(nowMs, this.#freeMs), sizeBytes * 8);
    this.#freeMs = departsMs;
    this.#queue.push({ departsMs, sizeBytes });
    this.#queuedBytes += sizeBytes;
    return { kind: 'arrives', atMs: departsMs + this.#oneWayMs, queueMs: departsMs - nowMs };
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
