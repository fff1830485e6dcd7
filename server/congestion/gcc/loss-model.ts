/**
 * A channel that loses a share of all packets, and everything above its bandwidth: how well such a
 * channel explains the observed losses.
 *
 * Source: libwebrtc 2026-08, goog_cc/loss_based_bwe_v2.cc, GetObjective, GetDerivatives,
 * NewtonsMethodUpdate; byte losses (UseByteLossRate), in kilobytes.
 */
import type { LossObservations } from './loss-observations.ts';

export type Channel = {
  bandwidthBps: number;
  /** Share lost whatever the rate. */
  inherentLossRatio: number;
};

/** Inherent loss assumed at first (InitialInherentLossEstimate). */
export const firstInherentLossRatio = 0.01;
/** Inherent loss is at least this (InherentLossLowerBound) ... */
const minInherentLossRatio = 1e-3;
/**
 * ... and at most this (InherentLossUpperBoundOffset) plus this rate over the bandwidth
 * (InherentLossUpperBoundBwBalance, bit/s).
 */
const maxInherentLossOffset = 0.05;
const maxInherentLossBalanceBps = 100e3;
/** Probabilities stay this far from 0 and 1. */
const probabilityMargin = 1e-6;
/** Share of a full Newton step that is taken, once (NewtonStepSize, NewtonIterations 1). */
const newtonStep = 0.75;
/** Preference for more bandwidth, per kbit/s (HigherBwBiasFactor) and per its logarithm (HigherLogBwBiasFactor). */
const biasPerKbps = 0.0002;
const biasPerLogKbps = 0.02;
/** The preference turns into a dislike above this loss (LossThresholdOfHighBandwidthPreference) ... */
const biasTurnsAtLossRatio = 0.2;
/** ... as softly as this says (BandwidthPreferenceSmoothingFactor). */
const biasSoftness = 0.002;

/** The share of packets that the channel loses at a sending rate. */
export function lossProbability({ bandwidthBps, inherentLossRatio }: Channel, sendingBps: number): number {
  const excess = sendingBps > bandwidthBps ? (sendingBps - bandwidthBps) / sendingBps : 0;
  const probability = inherentLossRatio + (1 - inherentLossRatio) * excess;
  return Math.min(Math.max(probability, probabilityMargin), 1 - probabilityMargin);
}

/** An inherent loss that a channel of that bandwidth may have. */
export function feasibleInherentLoss(inherentLossRatio: number, bandwidthBps: number): number {
  const most = bandwidthBps > 0 ? Math.min(maxInherentLossOffset + maxInherentLossBalanceBps / bandwidthBps, 1) : 1;
  return Math.min(Math.max(inherentLossRatio, minInherentLossRatio), most);
}

/** The channel with its inherent loss moved toward what fits best. */
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

/** Weighted log-likelihood of the observations, plus the preference for bandwidth; larger is better. */
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

/** Preference per kilobyte observed. */
export function bandwidthBias(bandwidthBps: number, averageLossRatio: number): number {
  const distance = biasTurnsAtLossRatio - averageLossRatio;
  const scale = distance / (biasSoftness + Math.abs(distance));
  const kbps = bandwidthBps / 1000;
  return scale * (biasPerKbps * kbps + biasPerLogKbps * Math.log(1 + kbps));
}
