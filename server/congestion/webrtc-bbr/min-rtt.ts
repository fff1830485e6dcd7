/**
 * The minimum round trip, which expires, and the decision whether its expiry needs a probe.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateBandwidthAndMinRtt and
 * ShouldExtendMinRttExpiry. Two rules there can renew the minimum without a probe. Both are off by default, and both
 * require an application-limited phase, which no code there announces, so it probes every ten seconds. Drucker et al.
 * (section VII-A) describe the second rule as active, without that condition; this is the choice 'always'. Here the
 * rules affect the expiry only; there they would also reject a lower sample.
 */

/** Value before the first sample, ms (rtt_stats.cc, kInitialRttMs). */
const initialRttMs = 100;
/** Factor of the minimum up to which a round trip is similar to it (kSimilarMinRttThreshold). */
const similarRatio = 1.125;

/** Cases in which a similar round trip renews the minimum: never, after an application-limited phase, or always. */
type SimilarRule = 'off' | 'if-app-limited' | 'always';

export type MinRttOptions = {
  expiryMs: number;
  similar: SimilarRule;
  /** True if an application-limited phase alone renews the minimum (probe_rtt_disabled_if_app_limited). */
  skipIfAppLimited: boolean;
};

export class MinRtt {
  readonly #options: MinRttOptions;
  #minMs: number | undefined;
  #setMs = -Infinity;
  #lastMs = 0;
  #lowestSinceMs = Infinity;
  #wasAppLimited = false;
  #renewals = 0;

  constructor(options: MinRttOptions) {
    this.#options = options;
  }

  /** Minimum; `initialRttMs` before the first sample. */
  get ms(): number {
    return this.#minMs ?? initialRttMs;
  }

  /** Last sample minus the minimum. */
  get riseMs(): number {
    return this.#minMs === undefined ? 0 : this.#lastMs - this.#minMs;
  }

  /** Number of expiries that caused no probe because of one of the two rules. */
  get renewals(): number {
    return this.#renewals;
  }

  onAppLimited(): void {
    this.#wasAppLimited = true;
  }

  /**
   * Takes the lowest sample of a feedback message, above 0. Returns true if the minimum had expired and a probe is due.
   */
  add(sampleMs: number, nowMs: number): boolean {
    this.#lastMs = sampleMs;
    this.#lowestSinceMs = Math.min(this.#lowestSinceMs, sampleMs);
    const isExpired = this.#minMs !== undefined && nowMs > this.#setMs + this.#options.expiryMs;
    if (!isExpired && this.#minMs !== undefined && sampleMs >= this.#minMs) return false;
    const isRenewed = isExpired && this.#isRenewed(sampleMs, this.#minMs!);
    if (isRenewed) this.#renewals++;
    this.#minMs = isRenewed ? Math.min(this.#minMs!, sampleMs) : sampleMs;
    this.#setMs = nowMs;
    this.#lowestSinceMs = Infinity;
    this.#wasAppLimited = false;
    return isExpired && !isRenewed;
  }

  /** Called at the end of a probe; the minimum expires later from now on. */
  onProbed(nowMs: number): void {
    this.#setMs = nowMs;
  }

  #isRenewed(sampleMs: number, minMs: number): boolean {
    if (this.#options.similar === 'always') return sampleMs <= minMs * similarRatio;
    if (!this.#wasAppLimited) return false;
    return (
      this.#options.skipIfAppLimited ||
      (this.#options.similar === 'if-app-limited' && this.#lowestSinceMs <= minMs * similarRatio)
    );
  }
}
