/**
 * The lowest round trip, as one number that expires, and whether its expiry calls for a probe.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateBandwidthAndMinRtt and
 * ShouldExtendMinRttExpiry. Two rules there can renew the number without a probe. Both are off by default, and both ask
 * for an application-limited phase, which nothing in that code ever announces: it probes every ten seconds. Drucker et
 * al. (section VII-A) describe the second as active, without the condition; that is the choice 'always'. Here the rules
 * decide about expiry only, while there they would also refuse a sample that is lower.
 */

/** Until there is a sample, ms (rtt_stats.cc, kInitialRttMs). */
const initialRttMs = 100;
/** A round trip up to this factor above the lowest is similar to it (kSimilarMinRttThreshold). */
const similarRatio = 1.125;

/** When a similar round trip renews the lowest one: never, only after an application-limited phase, always. */
type SimilarRule = 'off' | 'if-app-limited' | 'always';

export type MinRttOptions = {
  expiryMs: number;
  similar: SimilarRule;
  /** Whether an application-limited phase alone renews it (probe_rtt_disabled_if_app_limited). */
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

  /** ms; `initialRttMs` before the first sample. */
  get ms(): number {
    return this.#minMs ?? initialRttMs;
  }

  /** What the last sample was above the lowest, ms. */
  get riseMs(): number {
    return this.#minMs === undefined ? 0 : this.#lastMs - this.#minMs;
  }

  /** Expiries that one of the two rules has turned away. */
  get renewals(): number {
    return this.#renewals;
  }

  onAppLimited(): void {
    this.#wasAppLimited = true;
  }

  /**
   * Adds the lowest sample of a feedback message, ms, more than 0. Returns whether the number had expired and a probe
   * is due.
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

  /** A probe has ended: the number counts from now. */
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
