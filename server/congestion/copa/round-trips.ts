/**
 * Round trips of Copa: the minimum, the standing round trip, and the test for a queue that was nearly empty recently.
 *
 * Source: NSDI 2018, sections 2.1 and 2.2; weight of the smoothed round trip from genericCC. Deviation: the receiver
 * delays feedback by up to a report interval, and this delay would hide a queue of two packets. The round trip of a
 * packet is therefore its one-way delay plus the shortest return delay of recent reports; the offset between the two
 * clocks cancels. The loop is the time until a report covers a packet, including the receiver's delay. Actions that the
 * paper does once per round trip happen here once per loop.
 */
import { WindowedExtreme } from '../../../core/windowed-extreme.ts';

/** Weight of a new sample in the smoothed round trip (genericCC). */
const smoothing = 1 / 16;
/**
 * Number of loops within which the queue must have been nearly empty, and number of loops whose longest round trip
 * counts (2.2).
 */
const emptyLoops = 5;
const longestLoops = 4;
/** Lower limit of a round trip, ms. Jumps of the clocks may give lower values. */
const leastRttMs = 1;

type RoundTripOptions = { minRttWindowMs: number; standingWindowMs: number; nearlyEmptyRatio: number };
type Received = { sentMs: number; receivedMs: number };

export class RoundTrips {
  readonly #options: RoundTripOptions;
  readonly #wayBack = new WindowedExtreme('least');
  readonly #min = new WindowedExtreme('least');
  readonly #standing = new WindowedExtreme('least');
  readonly #lately = new WindowedExtreme('least');
  readonly #longest = new WindowedExtreme('greatest');
  readonly #longestLoop = new WindowedExtreme('greatest');
  #smoothedMs = 0;
  #loopMs = 0;
  #atMs = -Infinity;

  constructor(options: RoundTripOptions) {
    this.#options = options;
  }

  /** Takes the received packets of a report in order of arrival, at least one. `arrivedMs`: arrival of the report. */
  add(received: readonly Received[], arrivedMs: number): void {
    const { minRttWindowMs, standingWindowMs } = this.#options;
    const newest = received.at(-1)!;
    this.#wayBack.add(arrivedMs - newest.receivedMs, arrivedMs, minRttWindowMs);
    for (const { sentMs, receivedMs } of received) {
      const rttMs = Math.max(receivedMs - sentMs + this.#wayBack.value!, leastRttMs);
      this.#smoothedMs += this.#smoothedMs === 0 ? rttMs : smoothing * (rttMs - this.#smoothedMs);
      const loopMs = Math.max(arrivedMs - sentMs, leastRttMs);
      this.#loopMs += this.#loopMs === 0 ? loopMs : smoothing * (loopMs - this.#loopMs);
      this.#atMs = Math.max(this.#atMs, sentMs + rttMs);
      this.#min.add(rttMs, this.#atMs, minRttWindowMs);
      this.#standing.add(rttMs, this.#atMs, Math.max(this.#smoothedMs / 2, standingWindowMs));
      this.#lately.add(rttMs, this.#atMs, emptyLoops * this.#loopMs);
      this.#longest.add(rttMs, this.#atMs, longestLoops * this.#loopMs);
      this.#longestLoop.add(loopMs, this.#atMs, longestLoops * this.#loopMs);
    }
  }

  get minMs(): number {
    return this.#min.value ?? 0;
  }

  /** Standing round trip: the shortest recent round trip. Includes the delay of the standing queue, but no jitter. */
  get standingMs(): number {
    return this.#standing.value ?? 0;
  }

  /** Smoothed time from sending a packet to the arrival of the report on it. */
  get loopMs(): number {
    return this.#loopMs;
  }

  get longestLoopMs(): number {
    return this.#longestLoop.value ?? 0;
  }

  /**
   * True if the queue was nearly empty at least once in the last five loops. In this case no competing flow fills the
   * queue.
   */
  get isNearlyEmpty(): boolean {
    return (
      (this.#lately.value ?? 0) <=
      this.minMs + this.#options.nearlyEmptyRatio * ((this.#longest.value ?? 0) - this.minMs)
    );
  }
}
