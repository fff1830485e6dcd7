/**
 * Queue delay of the forward path: one-way delay of a packet minus the shortest one-way delay of the last minutes (RFC
 * 6817, section 3.4.2 and appendix A.1). The two clocks must run at the same rate; their origins may differ.
 *
 * Left out: clock skew estimation (appendix A.2).
 */

/**
 * Number of minutes whose shortest one-way delay is kept, one value per minute (BASE_HISTORY, RFC 6817, section 2.5).
 */
const baseHistory = 10;
const minuteMs = 60_000;

export class QueueDelay {
  /** Shortest one-way delay of each minute with packets, oldest minute first. The last minute is still open. */
  readonly #minima: { minute: number; baseMs: number }[] = [];
  #delayMs = 0;

  /** Queue delay of the newest packet, ms; 0 before the first packet. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /**
   * Shortest one-way delay of the last ten minutes, ms; undefined before the first packet. The value contains the
   * unknown offset between the two clocks.
   */
  get baseMs(): number | undefined {
    return this.#minima.length === 0 ? undefined : Math.min(...this.#minima.map(({ baseMs }) => baseMs));
  }

  /** Takes the newest packet. `sentMs` and `nowMs` are on the sender's clock, `receivedMs` is on the receiver's. */
  update(sentMs: number, receivedMs: number, nowMs: number): void {
    const oneWayMs = receivedMs - sentMs;
    const minute = Math.floor(nowMs / minuteMs);
    const last = this.#minima.at(-1);
    if (last?.minute === minute) last.baseMs = Math.min(last.baseMs, oneWayMs);
    else this.#minima.push({ minute, baseMs: oneWayMs });
    while (this.#minima[0]!.minute <= minute - baseHistory) this.#minima.shift();
    this.#delayMs = oneWayMs - this.baseMs!;
  }
}
