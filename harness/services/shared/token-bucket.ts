/** A token bucket (the committed part of RFC 2697), which limits bytes to a rate with a small burst. */
export class TokenBucket {
  readonly #bytesPerMs: number;
  readonly #burstBytes: number;
  #tokens: number;
  #filledMs: number;

  /** Creates a full bucket. */
  constructor(rateBps: number, burstBytes: number, timeMs: number) {
    this.#bytesPerMs = rateBps / 8000;
    this.#burstBytes = burstBytes;
    this.#tokens = burstBytes;
    this.#filledMs = timeMs;
  }

  /**
   * Takes `bytes` bytes from the bucket and returns 0. If there are fewer, takes none and returns the time until there
   * are enough, ms.
   */
  take(bytes: number, timeMs: number): number {
    this.#tokens = Math.min(this.#burstBytes, this.#tokens + (timeMs - this.#filledMs) * this.#bytesPerMs);
    this.#filledMs = timeMs;
    if (this.#tokens < bytes) return (bytes - this.#tokens) / this.#bytesPerMs;
    this.#tokens -= bytes;
    return 0;
  }
}
