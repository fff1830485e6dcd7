/**
 * The input of the loss model: losses and sending rate of the last fifteen intervals of a quarter of a second.
 *
 * Source: libwebrtc 2026-08, goog_cc/loss_based_bwe_v2.cc, PushBackObservation and
 * CalculateAverageReportedByteLossRatio.
 */

/** Least sending time of an observation (ObservationDurationLowerBound), ms. */
const observationMs = 250;
/** Observations kept (ObservationWindowSize). */
const keptObservations = 15;
/**
 * Weight of an observation relative to the next younger one (TemporalWeightFactor and
 * InstantUpperBoundTemporalWeightFactor).
 */
const ageWeight = 0.9;
/** The best and the worst observation are left out of the average only when there are more than this. */
const outliersFrom = 3;
/** ... and the worst stays in when it was sent at this multiple of the median rate (MedianSendingRateFactor). */
const burstFactor = 2;

type Observation = {
  sizeBytes: number;
  lostBytes: number;
  sendingBps: number;
};

/** A packet that feedback spoke of. */
export type ReportedPacket = { sequence: number; sentMs: number; sizeBytes: number; received: boolean };

export class LossObservations {
  readonly #kept: Observation[] = [];
  #count = 0;
  #bytes = 0;
  /** Sizes of the packets reported missing in the unfinished observation. */
  #missing = new Map<number, number>();
  #endMs: number | undefined;
  #averageLossRatio = 0;

  /** Adds one feedback message's packets; true when that completes an observation. */
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

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  /** Sending time of the last packet of the newest observation, ms. */
  get endMs(): number {
    return this.#endMs ?? -Infinity;
  }

  /** Weighted share of lost bytes, without the best and the worst observation. */
  get averageLossRatio(): number {
    return this.#averageLossRatio;
  }

  /** Calls back with each observation and its weight, 1 for the newest. */
  forEach(visit: (observation: Observation, weight: number) => void): void {
    for (let age = 0; age < this.#kept.length; age++) visit(this.#kept.at(-1 - age)!, ageWeight ** age);
  }
}

/** `kept` from the oldest to the newest. */
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
