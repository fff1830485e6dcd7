/**
 * Share of round trips with a loss (loss_event_rate in RFC 8298, section 4.1.1.2). The RFC does not define how the
 * share is averaged. The weight is from the authors' code of July 2026 (ScreamV2Tx.cpp).
 */

/** Weight of the newest round trip in the average. */
const weight = 0.02;

export class LossEventRate {
  #ratio = 0;
  #sawLoss = false;
  #countedMs = -Infinity;

  get ratio(): number {
    return this.#ratio;
  }

  /**
   * Takes a feedback message. `sawLoss`: true if the message reports a loss. A round trip ends `rttMs` after its start.
   */
  update(sawLoss: boolean, rttMs: number, nowMs: number): void {
    this.#sawLoss ||= sawLoss;
    if (nowMs - this.#countedMs < rttMs) return;
    this.#ratio = (1 - weight) * this.#ratio + (this.#sawLoss ? weight : 0);
    this.#sawLoss = false;
    this.#countedMs = nowMs;
  }
}
