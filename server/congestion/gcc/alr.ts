/**
 * Detects application-limited regions: the encoder uses much less than the estimate, so traffic cannot confirm it.
 *
 * Source: libwebrtc 2026-08, goog_cc/alr_detector.cc and modules/pacing/interval_budget.cc. The values are those of
 * rtc_base/experiments/alr_experiment.cc. They are meant for shared screens but apply to every call, as Chromium's log
 * shows; the values in alr_detector.h (65, 80 and 50 %) are never used.
 */

/** Share of the estimate that counts as full use (bandwidth_usage_ratio). */
const usageRatio = 0.8;
/** Length of the budget (kWindowMs), ms. */
const budgetMs = 500;
/**
 * Shares of unused budget at which a region begins and ends; a negative share is over-use
 * (start/stop_budget_level_ratio).
 */
const startRatio = 0.4;
const stopRatio = -0.6;

export class AlrDetector {
  #bytesPerMs = 0;
  /** Unused bytes; negative if more than the budget was sent. */
  #leftBytes = 0;
  #lastSentMs: number | undefined;
  #startMs: number | undefined;

  /** Start of the current region; undefined outside of a region. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  setEstimate(estimateBps: number): void {
    this.#bytesPerMs = (estimateBps * usageRatio) / 8000;
    this.#leftBytes = Math.min(Math.max(this.#leftBytes, -this.#budgetBytes()), this.#budgetBytes());
  }

  onSent(sizeBytes: number, sentMs: number): void {
    const elapsedMs = sentMs - (this.#lastSentMs ?? sentMs);
    const isFirst = this.#lastSentMs === undefined;
    this.#lastSentMs = sentMs;
    if (isFirst) return;
    const afterUse = Math.max(this.#leftBytes - sizeBytes, -this.#budgetBytes());
    this.#leftBytes = Math.min(afterUse + elapsedMs * this.#bytesPerMs, this.#budgetBytes());
    const unusedRatio = this.#bytesPerMs === 0 ? 0 : this.#leftBytes / this.#budgetBytes();
    if (unusedRatio > startRatio) this.#startMs ??= sentMs;
    else if (unusedRatio < stopRatio) this.#startMs = undefined;
  }

  #budgetBytes(): number {
    return this.#bytesPerMs * budgetMs;
  }
}
