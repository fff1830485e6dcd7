/**
 * The queue delay: one-way delay over its shortest value, by packet and after a minimum filter.
 *
 * Source: RFC 8698, section 5.1.1; the base delay is kept by minutes as in RFC 6817, section 2.4.2.
 */

/** The base delay is the shortest of minutes like this, ms. */
const minuteMs = 60_000;

export type DelaySample = { rawMs: number; filteredMs: number };

export class QueueDelay {
  readonly #historyMinutes: number;
  readonly #filterSamples: number;
  /** Shortest one-way delay of each minute; the receiver's clock has another origin, so it may be negative. */
  #minima: { minute: number; delayMs: number }[] = [];
  /** Latest queue delays, newest last. */
  readonly #latest: number[] = [];

  constructor({ historyMs, filterSamples }: { historyMs: number; filterSamples: number }) {
    this.#historyMinutes = Math.ceil(historyMs / minuteMs);
    this.#filterSamples = filterSamples;
  }

  /** Takes a packet's one-way delay by the two clocks; `nowMs` is the sender's. */
  add(oneWayMs: number, nowMs: number): DelaySample {
    const minute = Math.floor(nowMs / minuteMs);
    const newest = this.#minima.at(-1);
    if (newest?.minute === minute) newest.delayMs = Math.min(newest.delayMs, oneWayMs);
    else this.#minima = [...this.#minima.filter(old => minute - old.minute < this.#historyMinutes), { minute, delayMs: oneWayMs }];
    const rawMs = oneWayMs - Math.min(...this.#minima.map(({ delayMs }) => delayMs));
    this.#latest.push(rawMs);
    if (this.#latest.length > this.#filterSamples) this.#latest.shift();
    return { rawMs, filteredMs: Math.min(...this.#latest) };
  }
}
