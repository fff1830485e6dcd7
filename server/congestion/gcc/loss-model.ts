/**
 * Model of a channel that loses a constant share of all packets, and all traffic above its bandwidth; and the fit of
 * this model to the observed losses.
 *
 * Source: libwebrtc 2026-08, goog_cc/loss_based_bwe_v2.cc, GetObjective, GetDerivatives, NewtonsMethodUpdate; byte
 * losses (UseByteLossRate), in kilobytes.
 */
import type { LossObservations } from './loss-observations.ts';

export type Channel = {
  bandwidthBps: number;
  /** Share of packets that the channel loses at any rate, even below its bandwidth. */
  inherentLossRatio: number;
};

/** Initial inherent loss (InitialInherentLossEstimate). */
export const firstInherentLossRatio = 0.01;
/** Lower limit of the inherent loss (InherentLossLowerBound). */
const minInherentLossRatio = 1e-3;
/**
 * Upper limit of the inherent loss: an offset (InherentLossUpperBoundOffset) plus a constant in bit/s divided by the
 * bandwidth (InherentLossUpperBoundBwBalance).
 */
const maxInherentLossOffset = 0.05;
const maxInherentLossBalanceBps = 100e3;
/** Smallest distance of a probability from 0 and 1. */
const probabilityMargin = 1e-6;
/** Factor on the Newton step, of which there is one per update (NewtonStepSize, NewtonIterations 1). */
const newtonStep = 0.75;
/**
 * Preference for a high bandwidth in the objective: per kbit/s (HigherBwBiasFactor), and per logarithm of kbit/s
 * (HigherLogBwBiasFactor).
 */
const biasPerKbps = 0.0002;
const biasPerLogKbps = 0.02;
/**
 * Average loss ratio at which the preference for a high bandwidth changes its sign
 * (LossThresholdOfHighBandwidthPreference).
 */
const biasTurnsAtLossRatio = 0.2;
/**
 * Softness of the change of sign: a larger value makes the change more gradual (BandwidthPreferenceSmoothingFactor).
 */
const biasSoftness = 0.002;

/** Returns the share of packets that the channel loses at the rate `sendingBps`. */
export function lossProbability({ bandwidthBps, inherentLossRatio }: Channel, sendingBps: number): number {
  const excess = sendingBps > bandwidthBps ? (sendingBps - bandwidthBps) / sendingBps : 0;
  const probability = inherentLossRatio + (1 - inherentLossRatio) * excess;
  return Math.min(Math.max(probability, probabilityMargin), 1 - probabilityMargin);
}

/** Returns the inherent loss, clamped to the limits for this bandwidth. */
export function feasibleInherentLoss(inherentLossRatio: number, bandwidthBps: number): number {
  const most = bandwidthBps > 0 ? Math.min(maxInherentLossOffset + maxInherentLossBalanceBps / bandwidthBps, 1) : 1;
  return Math.min(Math.max(inherentLossRatio, minInherentLossRatio), most);
}

/** Returns the channel with an inherent loss that one Newton step has brought closer to the best fit. */
export function fitInherentLoss(channel: Channel, observations: LossObservations): Channel {
  let first = 0;
  let second = 0;
  observations.forEach(({ sizeBytes, lostBytes, sendingBps }, weight) => {
    const lostProbability = lossProbability(channel, sendingBps);
    const lostKilobytes = lostBytes / 1000;
    const receivedKilobytes = (sizeBytes - lostBytes) / 1000;
    first += weight * (lostKilobytes / lostProbability - receivedKilobytes / (1 - lostProbability));
    second -= weight * (lostKilobytes / lostProbability ** 2 + receivedKilobytes / (1 - lostProbability) ** 2);
  });
  if (second === 0) return channel;
  const moved = channel.inherentLossRatio - (newtonStep * first) / second;
  return { ...channel, inherentLossRatio: feasibleInherentLoss(moved, channel.bandwidthBps) };
}

/**
 * Returns the weighted log-likelihood of the observations plus the preference for a high bandwidth. A larger value is
 * better.
 */
export function objective(channel: Channel, observations: LossObservations): number {
  const bias = bandwidthBias(channel.bandwidthBps, observations.averageLossRatio);
  let sum = 0;
  observations.forEach(({ sizeBytes, lostBytes, sendingBps }, weight) => {
    const lostProbability = lossProbability(channel, sendingBps);
    const likelihood =
      (lostBytes / 1000) * Math.log(lostProbability) + ((sizeBytes - lostBytes) / 1000) * Math.log(1 - lostProbability);
    sum += weight * (likelihood + (bias * sizeBytes) / 1000);
  });
  return sum;
}

/** Returns the term of the objective that prefers high bandwidths, per observed kilobyte. */
export function bandwidthBias(bandwidthBps: number, averageLossRatio: number): number {
  const distance = biasTurnsAtLossRatio - averageLossRatio;
  const scale = distance / (biasSoftness + Math.abs(distance));
  const kbps = bandwidthBps / 1000;
  return scale * (biasPerKbps * kbps + biasPerLogKbps * Math.log(1 + kbps));
}
