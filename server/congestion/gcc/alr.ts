/**
 * Application-limited region: the encoder uses much less than it may, so traffic cannot confirm the estimate.
 *
 * Source: libwebrtc 2026-08, goog_cc/alr_detector.cc and modules/pacing/interval_budget.cc. The numbers are those of
 * rtc_base/experiments/alr_experiment.cc, meant for shared screens but on for all, as Chromium's log says of every
 * call; those in alr_detector.h (65, 80 and 50 %) are never reached.
 */

/** Share of the estimate that counts as used fully (bandwidth_usage_ratio). */
const usageRatio = 0.8;
/** Length of the budget (kWindowMs), ms. */
const budgetMs = 500;
/**
 * The region begins when more than this of the budget is unused, and ends below that, at more than the budget used
 * (start/stop_budget_level_ratio).
 */
const startRatio = 0.4;
const stopRatio = -0.6;

export class AlrDetector {
  #bytesPerMs = 0;
  /** Unused bytes; negative when more than the budget was sent. */
  #leftBytes = 0;
  #lastSentMs: number | undefined;
  #startMs: number | undefined;

  /** When the present region began; undefined outside. */
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
