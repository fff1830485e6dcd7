/**
 * The queue delay per packet, and after a minimum filter over the last packets: a delay of only one or two packets is
 * not congestion.
 *
 * Source: RFC 8698, section 5.1.1.
 */
import { QueueDelay } from '../shared/queue-delay.ts';

export type DelaySample = { rawMs: number; filteredMs: number };

export class FilteredDelay {
  readonly #queueDelay = new QueueDelay();
  readonly #samples: number;
  /** Newest last. */
  readonly #latest: number[] = [];

  constructor(samples: number) {
    this.#samples = samples;
  }

  /** Takes a packet's sending time on the sender's clock and its arrival on the receiver's; `nowMs` is the sender's. */
  add(sentMs: number, receivedMs: number, nowMs: number): DelaySample {
    this.#queueDelay.update(sentMs, receivedMs, nowMs);
    const rawMs = this.#queueDelay.delayMs;
    this.#latest.push(rawMs);
    if (this.#latest.length > this.#samples) this.#latest.shift();
    return { rawMs, filteredMs: Math.min(...this.#latest) };
  }
}
