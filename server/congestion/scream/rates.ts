/**
 * Rates of sent bytes, acknowledged bytes and encoder output over the last adjustment interval, bit/s; and the median
 * of the encoder's rate (RFC 8298, sections 4.1.1.2 and 4.1.3: rate_transmit, rate_ack, rate_media, rate_media_median).
 *
 * The output of the encoder is the media sent plus the growth of the pacer's queue.
 */

/** Number of intervals over which the median is taken: 10 s of 200 ms each. */
const medianIntervals = 50;

export class Rates {
  #sentBytes = 0;
  #mediaBytes = 0;
  #ackedBytes = 0;
  #queuedBytes = 0;
  readonly #mediaRates: number[] = [];
  transmitBps = 0;
  ackBps = 0;
  mediaBps = 0;
  mediaMedianBps = 0;

  /** Throughput, by which the target is set: the larger of the send rate and the acknowledged rate. */
  get currentBps(): number {
    return Math.max(this.transmitBps, this.ackBps);
  }

  onSent(sizeBytes: number, isMedia: boolean): void {
    this.#sentBytes += sizeBytes;
    if (isMedia) this.#mediaBytes += sizeBytes;
  }

  onAcked(bytes: number): void {
    this.#ackedBytes += bytes;
  }

  /** Ends an interval of `intervalMs` ms. `queuedBytes`: bytes in the pacer's queue. */
  update(intervalMs: number, queuedBytes: number): void {
    const rate = (bytes: number) => (bytes * 8000) / intervalMs;
    this.transmitBps = rate(this.#sentBytes);
    this.ackBps = rate(this.#ackedBytes);
    this.mediaBps = Math.max(0, rate(this.#mediaBytes + queuedBytes - this.#queuedBytes));
    this.#mediaRates.push(this.mediaBps);
    if (this.#mediaRates.length > medianIntervals) this.#mediaRates.shift();
    this.mediaMedianBps = this.#mediaRates.toSorted((a, b) => a - b)[Math.floor(this.#mediaRates.length / 2)]!;
    this.#sentBytes = 0;
    this.#mediaBytes = 0;
    this.#ackedBytes = 0;
    this.#queuedBytes = queuedBytes;
  }
}
