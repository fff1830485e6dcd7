/**
 * Chooses default or competitive mode. The mode sets delta, the weight of delay against rate.
 *
 * Source: NSDI 2018, section 2.2. In competitive mode 1 / delta grows by 1 per loop, and a loss halves it, at most once
 * per loop. delta is never larger than in default mode.
 */

export class Mode {
  readonly #defaultDelta: number;
  readonly #mayCompete: boolean;
  #delta: number;
  #isCompetitive = false;
  #grownMs = -Infinity;
  #halvedMs = -Infinity;

  constructor(delta: number, mayCompete: boolean) {
    this.#defaultDelta = delta;
    this.#delta = delta;
    this.#mayCompete = mayCompete;
  }

  get delta(): number {
    return this.#delta;
  }

  get isCompetitive(): boolean {
    return this.#isCompetitive;
  }

  /**
   * Updates the mode after a report. `isNearlyEmpty`: true if the queue was nearly empty recently. `hasLoss`: true if
   * the report contains a loss.
   */
  update(isNearlyEmpty: boolean, hasLoss: boolean, nowMs: number, loopMs: number): void {
    if (!this.#mayCompete) return;
    if (isNearlyEmpty) {
      this.#isCompetitive = false;
      this.#delta = this.#defaultDelta;
      return;
    }
    if (!this.#isCompetitive) this.#grownMs = nowMs;
    this.#isCompetitive = true;
    if (hasLoss && nowMs - this.#halvedMs >= loopMs) {
      this.#delta = Math.min(2 * this.#delta, this.#defaultDelta);
      this.#halvedMs = nowMs;
      this.#grownMs = nowMs;
    } else if (nowMs - this.#grownMs >= loopMs) {
      this.#delta = 1 / (1 / this.#delta + 1);
      this.#grownMs = nowMs;
    }
  }
}
