/**
 * Queue delay of the forward path: the one-way delay of a packet less the least one lately (RFC 6817,
 * section 3.4.2 and appendix A.1). The clocks of both ends need the same pace, not the same origin.
 *
 * Left out: clock skew estimation (appendix A.2).
 */

/** Least one-way delays are kept for so many minutes (BASE_HISTORY), one a minute: RFC 6817, section 2.5. */
const baseHistory = 10;
const minuteMs = 60_000;

export class QueueDelay {
  /** The minutes that had a packet, oldest first; the last one goes on. */
  readonly #minima: { minute: number; baseMs: number }[] = [];
  #delayMs = 0;

  /** Queue delay of the newest packet, ms; 0 before the first. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** Least one-way delay of the last ten minutes, ms; its origin is unknown. undefined before the first packet. */
  get baseMs(): number | undefined {
    return this.#minima.length === 0 ? undefined : Math.min(...this.#minima.map(({ baseMs }) => baseMs));
  }

  /** Takes a packet's sending time on the sender's clock and its arrival on the receiver's; `nowMs` is the sender's. */
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
