/**
 * Does a high bandwidth estimate mean a high bitrate? The correlation of the two over runs, in all and apart for runs
 * that went well and badly (Drucker et al., "Investigating WebRTC BBR as an alternative to GCC for live video
 * streaming", Table II).
 */
import { correlation } from './correlation.ts';

/** Averages of one run. */
export type EstimateRun = { estimateBps: number; bitrateBps: number };

/** -1 to 1; undefined where there are fewer than two runs, or no differences. */
type EstimateCorrelation = { all: number | undefined; good: number | undefined; bad: number | undefined };

/** Runs of this bitrate and more are the good ones (Table II). */
export const goodBps = 700e3;

export function estimateCorrelation(runs: readonly EstimateRun[], fromBps = goodBps): EstimateCorrelation {
  const of = (chosen: readonly EstimateRun[]) =>
    correlation(chosen.map(({ estimateBps, bitrateBps }) => [estimateBps, bitrateBps]));
  return {
    all: of(runs),
    good: of(runs.filter(({ bitrateBps }) => bitrateBps >= fromBps)),
    bad: of(runs.filter(({ bitrateBps }) => bitrateBps < fromBps)),
  };
}
