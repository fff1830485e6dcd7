/**
 * Correlation of bandwidth estimate and bitrate over runs: over all runs, over good runs and over bad runs (Drucker et
 * al., "Investigating WebRTC BBR as an alternative to GCC for live video streaming", Table II).
 */
import { correlation } from './correlation.ts';

/** Mean bandwidth estimate and mean bitrate of one run. */
export type EstimateRun = { estimateBps: number; bitrateBps: number };

/**
 * Correlations over all runs, good runs and bad runs, -1 to 1. Undefined if there are fewer than two runs of the kind
 * or one of the values is constant.
 */
type EstimateCorrelation = { all: number | undefined; good: number | undefined; bad: number | undefined };

/** Lowest bitrate of a good run (Table II). Runs with a lower bitrate are bad runs. */
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
