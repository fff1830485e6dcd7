/**
 * Average number of packets between loss events, and packets since the last loss.
 *
 * Source: RFC 5348, sections 5.2 (losses within a round trip of the first loss are one event) and 5.4 (weights). The
 * packets before the first loss are the first interval.
 *
 * RFC 5348 includes the open interval, which follows the newest loss event, in the average if that makes the average
 * longer. Here only closed intervals count, unless `withOpen` selects the rule of RFC 5348. Reason: the newest interval
 * has a weight of at least 1/6. With RFC 8698's factor of 7, the packets since the last loss could never reach the
 * factor times an average that includes them, and a loss would count for ever.
 */

/** Weights of the intervals, newest first (RFC 5348, 5.4). */
const weights = [1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2];

export class LossIntervals {
  readonly #withOpen: boolean;
  /** Lengths of the closed intervals in packets, newest first. */
  #closed: number[] = [];
  /** Packets since the start of the newest loss event, or since the start of the stream. */
  #openPackets = 0;
  #eventSentMs: number | undefined;
  #sinceLossPackets = 0;

  constructor(withOpen: boolean) {
    this.#withOpen = withOpen;
  }

  /** Takes the next packet in send order. `sentMs`: send time of the packet. */
  add(sentMs: number, isLost: boolean, rttMs: number): void {
    this.#openPackets++;
    this.#sinceLossPackets++;
    if (!isLost) return;
    this.#sinceLossPackets = 0;
    if (this.#eventSentMs !== undefined && sentMs - this.#eventSentMs < rttMs) return;
    this.#eventSentMs = sentMs;
    this.#closed = [this.#openPackets, ...this.#closed].slice(0, weights.length);
    this.#openPackets = 0;
  }

  get sinceLossPackets(): number {
    return this.#sinceLossPackets;
  }

  /** Average length of the loss intervals in packets; undefined before the first loss. */
  get averagePackets(): number | undefined {
    if (this.#closed.length === 0) return undefined;
    const closed = weighted(this.#closed);
    return this.#withOpen
      ? Math.max(closed, weighted([this.#openPackets, ...this.#closed].slice(0, this.#closed.length)))
      : closed;
  }
}

function weighted(intervals: readonly number[]): number {
  let sum = 0;
  let weight = 0;
  for (const [i, packets] of intervals.entries()) {
    sum += weights[i]! * packets;
    weight += weights[i]!;
  }
  return sum / weight;
}
