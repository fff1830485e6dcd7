/**
 * The minimum round trip, which expires after some time. An expiry requires a probe (PROBE_RTT), unless a rule renews
 * the minimum.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateBandwidthAndMinRtt and
 * ShouldExtendMinRttExpiry. libwebrtc has two rules that renew the minimum: `skipIfAppLimited` and `similar`. Both are
 * off by default, and both require an application-limited phase, which no code in libwebrtc announces. libwebrtc's BBR
 * therefore probes every ten seconds.
 *
 * Drucker et al. (section VII-A) describe the second rule as active and without the application-limited phase; this is
 * `similar: 'always'`. Deviation: in libwebrtc a renewal also rejects a lower sample, here it affects only the expiry.
 */

/** Minimum round trip assumed before the first sample, ms (rtt_stats.cc, kInitialRttMs). */
const initialRttMs = 100;
/**
 * Similarity limit: a round trip of at most this factor times the minimum is similar to the minimum
 * (kSimilarMinRttThreshold).
 */
const similarRatio = 1.125;

/** Cases in which a similar round trip renews the minimum: never, after an application-limited phase, or always. */
type SimilarRule = 'off' | 'if-app-limited' | 'always';

export type MinRttOptions = {
  expiryMs: number;
  similar: SimilarRule;
  /**
   * True if the minimum is renewed after an application-limited phase without any other condition
   * (probe_rtt_disabled_if_app_limited).
   */
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

  /** Minimum round trip; `initialRttMs` before the first sample. */
  get ms(): number {
    return this.#minMs ?? initialRttMs;
  }

  /** Newest sample minus the minimum; 0 before the first sample. */
  get riseMs(): number {
    return this.#minMs === undefined ? 0 : this.#lastMs - this.#minMs;
  }

  /** Number of expiries after which a rule renewed the minimum, so that no probe was needed. */
  get renewals(): number {
    return this.#renewals;
  }

  onAppLimited(): void {
    this.#wasAppLimited = true;
  }

  /**
   * Takes the lowest round trip of a feedback message, above 0. Returns true if a probe is needed because the minimum
   * has expired.
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

  /** Called at the end of a probe. The minimum keeps its value, and its expiry time starts again. */
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
