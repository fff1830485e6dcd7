/**
 * Input of the loss model: losses and sending rates in the last fifteen observations, each of at least 250 ms.
 *
 * Source: libwebrtc 2026-08, goog_cc/loss_based_bwe_v2.cc, PushBackObservation and
 * CalculateAverageReportedByteLossRatio.
 */

/** Shortest duration of an observation, measured in send times (ObservationDurationLowerBound), ms. */
const observationMs = 250;
/** Number of observations that are kept (ObservationWindowSize). */
const keptObservations = 15;
/**
 * Weight of an observation divided by that of the next newer one (TemporalWeightFactor and
 * InstantUpperBoundTemporalWeightFactor).
 */
const ageWeight = 0.9;
/** Number of observations above which the average leaves out the best and the worst observation. */
const outliersFrom = 3;
/**
 * Factor on the median sending rate. The worst observation is not left out if its sending rate is at least this product
 * (MedianSendingRateFactor).
 */
const burstFactor = 2;

type Observation = {
  sizeBytes: number;
  lostBytes: number;
  sendingBps: number;
};

/** A packet that feedback has reported. */
export type ReportedPacket = { sequence: number; sentMs: number; sizeBytes: number; received: boolean };

export class LossObservations {
  readonly #kept: Observation[] = [];
  #count = 0;
  #bytes = 0;
  /** Sizes of the packets reported missing in the current observation, by sequence number. */
  #missing = new Map<number, number>();
  #endMs: number | undefined;
  #averageLossRatio = 0;

  /** Adds the packets of one feedback message; returns true if they complete an observation. */
  add(packets: readonly ReportedPacket[]): boolean {
    let firstMs = Infinity;
    let lastMs = -Infinity;
    for (const { sequence, sentMs, sizeBytes, received } of packets) {
      if (received) this.#missing.delete(sequence);
      else this.#missing.set(sequence, sizeBytes);
      this.#bytes += sizeBytes;
      firstMs = Math.min(firstMs, sentMs);
      lastMs = Math.max(lastMs, sentMs);
    }
    if (packets.length === 0) return false;
    this.#endMs ??= firstMs;
    const durationMs = lastMs - this.#endMs;
    if (durationMs < observationMs) return false;
    this.#endMs = lastMs;
    let lostBytes = 0;
    for (const sizeBytes of this.#missing.values()) lostBytes += sizeBytes;
    this.#kept.push({ sizeBytes: this.#bytes, lostBytes, sendingBps: (this.#bytes * 8000) / durationMs });
    if (this.#kept.length > keptObservations) this.#kept.shift();
    this.#count++;
    this.#bytes = 0;
    this.#missing = new Map();
    this.#averageLossRatio = averageLoss(this.#kept);
    return true;
  }

  /** Number of observations completed since the start. */
  get count(): number {
    return this.#count;
  }

  /** Send time of the last packet in the newest observation, ms; -Infinity before the first packet. */
  get endMs(): number {
    return this.#endMs ?? -Infinity;
  }

  /** Weighted share of lost bytes, usually without the best and the worst observation. */
  get averageLossRatio(): number {
    return this.#averageLossRatio;
  }

  /**
   * Calls `visit` with each observation and its weight, newest observation first. The newest observation has weight 1.
   */
  forEach(visit: (observation: Observation, weight: number) => void): void {
    for (let age = 0; age < this.#kept.length; age++) visit(this.#kept.at(-1 - age)!, ageWeight ** age);
  }
}

/** Returns the weighted share of lost bytes. `kept`: observations, oldest first. */
function averageLoss(kept: readonly Observation[]): number {
  let bytes = 0;
  let lost = 0;
  let best = { ratio: 1, bytes: 0, lost: 0 };
  let worst = { ratio: 0, bytes: 0, lost: 0, sendingBps: 0 };
  kept.forEach((observation, index) => {
    const weight = ageWeight ** (kept.length - 1 - index);
    const weighed = {
      ratio: ratio(observation.lostBytes, observation.sizeBytes),
      bytes: weight * observation.sizeBytes,
      lost: weight * observation.lostBytes,
    };
    bytes += weighed.bytes;
    lost += weighed.lost;
    if (weighed.ratio > worst.ratio) worst = { ...weighed, sendingBps: observation.sendingBps };
    if (weighed.ratio < best.ratio) best = weighed;
  });
  const wasBurst = burstFactor * medianSendingBps(kept) <= worst.sendingBps;
  const rest = bytes - best.bytes - worst.bytes;
  if (kept.length <= outliersFrom || wasBurst || rest <= 0) return ratio(lost, bytes);
  return ratio(Math.max(0, lost - best.lost - worst.lost), rest);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function medianSendingBps(observations: readonly Observation[]): number {
  const rates = observations.map(o => o.sendingBps).sort((a, b) => a - b);
  const middle = rates.length >> 1;
  return rates.length % 2 === 1 ? rates[middle]! : (rates[middle - 1]! + rates[middle]!) / 2;
}
