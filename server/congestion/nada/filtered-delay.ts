/**
 * Queue delay of each packet, and its minimum over the last packets. The minimum filters out long delays of one or two
 * packets, which are not congestion.
 *
 * Source: RFC 8698, section 5.1.1.
 */
import { QueueDelay } from '../shared/queue-delay.ts';

export type DelaySample = { rawMs: number; filteredMs: number };

export class FilteredDelay {
  readonly #queueDelay = new QueueDelay();
  readonly #samples: number;
  /** Queue delays of the newest packets, ms, newest last. */
  readonly #latest: number[] = [];

  constructor(samples: number) {
    this.#samples = samples;
  }

  /**
   * Takes the newest packet; returns its queue delay. `sentMs` and `nowMs` are on the sender's clock, `receivedMs` is
   * on the receiver's.
   */
  add(sentMs: number, receivedMs: number, nowMs: number): DelaySample {
    this.#queueDelay.update(sentMs, receivedMs, nowMs);
    const rawMs = this.#queueDelay.delayMs;
    this.#latest.push(rawMs);
    if (this.#latest.length > this.#samples) this.#latest.shift();
    return { rawMs, filteredMs: Math.min(...this.#latest) };
  }
}
