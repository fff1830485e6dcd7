/**
 * Detects application-limited regions: times in which the encoder uses much less than the estimate, so that the traffic
 * cannot confirm the estimate.
 *
 * Source: libwebrtc 2026-08, goog_cc/alr_detector.cc and modules/pacing/interval_budget.cc. The values are those of
 * rtc_base/experiments/alr_experiment.cc. These values are meant for shared screens, but Chromium's log shows that they
 * apply to every call; the values in alr_detector.h (65, 80 and 50 %) are never used.
 */

/** Share of the estimate that counts as full use (bandwidth_usage_ratio). */
const usageRatio = 0.8;
/** Length of the budget, expressed as time at full use (kWindowMs), ms. */
const budgetMs = 500;
/**
 * Shares of unused budget at which a region begins and ends; a negative share means over-use
 * (start/stop_budget_level_ratio).
 */
const startRatio = 0.4;
const stopRatio = -0.6;

export class AlrDetector {
  #bytesPerMs = 0;
  /** Unused bytes of the budget; negative if the sender has sent more than the budget. */
  #leftBytes = 0;
  #lastSentMs: number | undefined;
  #startMs: number | undefined;

  /** Start time of the current region, ms; undefined outside of a region. */
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
