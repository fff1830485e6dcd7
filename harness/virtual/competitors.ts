/** Traffic beside the video: a constant rate that goes on and off, and a TCP flow of the Reno kind. */
import type { EventQueue } from './event-queue.ts';
import type { Sends } from './link.ts';

const packetBytes = 1500;
/** Without acknowledgement for so long, the TCP flow starts anew, ms (RFC 6298, first value). */
const retransmissionTimeoutMs = 1000;

export type Span = { fromMs: number; toMs: number };
export type CrossOptions = { rateBps: number; on: readonly Span[] };

export function startCross(events: EventQueue, link: Sends, { rateBps, on }: CrossOptions): void {
  const gapMs = (packetBytes * 8000) / rateBps;
  for (const { fromMs, toMs } of on) {
    const next = (nowMs: number) => {
      if (nowMs >= toMs) return;
      link.send(packetBytes, nowMs, () => {});
      events.at(nowMs + gapMs, next);
    };
    events.at(fromMs, next);
  }
}

/**
 * A greedy TCP flow: slow start, one packet per round trip, half the window at a loss (RFC 5681), new
 * data in place of what was lost. The path keeps packets in order, so a gap is a loss at once.
 */
export class RenoFlow {
  readonly #events: EventQueue;
  readonly #link: Sends;
  readonly #returnMs: number;
  readonly #span: Span;
  #window = 10;
  #threshold = Infinity;
  #nextSequence = 0;
  #expected = 0;
  #inFlight = 0;
  /** A loss before this belongs to a halving that was made. */
  #recovered = 0;
  #lastAckMs = 0;
  #ackedBytes = 0;

  constructor(events: EventQueue, link: Sends, returnMs: number, span: Span) {
    this.#events = events;
    this.#link = link;
    this.#returnMs = returnMs;
    this.#span = span;
    events.at(span.fromMs, nowMs => {
      this.#lastAckMs = nowMs;
      this.#fill(nowMs);
      events.every(retransmissionTimeoutMs, nowMs + retransmissionTimeoutMs, later => this.#onTimer(later));
    });
  }

  get ackedBytes(): number {
    return this.#ackedBytes;
  }

  #fill(nowMs: number): void {
    while (nowMs < this.#span.toMs && this.#inFlight < Math.floor(this.#window)) {
      const sequence = this.#nextSequence++;
      this.#inFlight++;
      this.#link.send(packetBytes, nowMs, fate => {
        if (fate.kind === 'arrives') this.#events.at(fate.atMs + this.#returnMs, later => this.#onAck(sequence, later));
      });
    }
  }

  #onAck(sequence: number, nowMs: number): void {
    this.#lastAckMs = nowMs;
    if (sequence < this.#expected) return;
    const lost = sequence - this.#expected;
    this.#inFlight -= lost + 1;
    this.#expected = sequence + 1;
    this.#ackedBytes += packetBytes;
    if (lost > 0 && sequence > this.#recovered) {
      this.#threshold = Math.max(2, this.#window / 2);
      this.#window = this.#threshold;
      this.#recovered = this.#nextSequence;
    } else {
      this.#window += this.#window < this.#threshold ? 1 : 1 / this.#window;
    }
    this.#fill(nowMs);
  }

  #onTimer(nowMs: number): void {
    if (nowMs - this.#lastAckMs < retransmissionTimeoutMs) return;
    this.#threshold = Math.max(2, this.#window / 2);
    this.#window = 1;
    this.#inFlight = 0;
    this.#expected = this.#nextSequence;
    this.#recovered = this.#nextSequence;
    this.#fill(nowMs);
  }
}
