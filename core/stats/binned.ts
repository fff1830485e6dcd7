/** Divides a series into bins that start with the window, so that trials can be compared bin by bin. */
import { CoexistError } from '../errors.ts';
import { type Reading, type Span, valueAt } from './counters.ts';
import { ascending, quantileOfSorted } from './quantile.ts';

/**
 * Maximum number of bins in a window. The longest trial with the shortest bins has fewer, and this number of bins fits
 * into memory.
 */
const mostBins = 1e6;

/**
 * Returns the number of whole bins in a window, at least 1. Throws `bad-run-folder` if the window has more than the
 * maximum number of bins.
 */
export function binCount({ startMs, endMs }: Span, binMs: number): number {
  const bins = Math.floor((endMs - startMs) / binMs + 1e-6);
  if (bins <= mostBins) return Math.max(1, bins);
  throw new CoexistError(
    'bad-run-folder',
    `a window from ${startMs} to ${endMs} ms has more than ${mostBins} bins of ${binMs} ms`,
    { hint: "the times in the trial's trial.json were changed; remove its folder and run it again with --resume" },
  );
}

/** Returns how much a counter grew per second in each bin. Null for a bin at whose ends the counter was not read. */
export function ratePerBin(readings: readonly Reading[], window: Span, binMs: number): (number | null)[] {
  const edges = Array.from({ length: binCount(window, binMs) + 1 }, (_, i) =>
    valueAt(readings, window.startMs + i * binMs),
  );
  return edges.slice(1).map((edge, i) => {
    const before = edges[i];
    return edge === undefined || before === undefined ? null : ((edge - before) * 1000) / binMs;
  });
}

/** Returns the mean of the samples in each bin. Null for a bin without samples. */
export function meanPerBin(
  samples: readonly { timeMs: number; value: number }[],
  window: Span,
  binMs: number,
): (number | null)[] {
  const sums = Array.from({ length: binCount(window, binMs) }, () => ({ sum: 0, n: 0 }));
  for (const { timeMs, value } of samples) {
    const bin = sums[Math.floor((timeMs - window.startMs) / binMs)];
    if (bin === undefined || timeMs < window.startMs) continue;
    bin.sum += value;
    bin.n++;
  }
  return sums.map(({ sum, n }) => (n === 0 ? null : sum / n));
}

type Overlay = { median: (number | null)[]; low: (number | null)[]; high: (number | null)[] };

/** Returns the median, lowest and highest value of all trials for each bin. */
export function overlay(trials: readonly (readonly (number | null)[])[]): Overlay {
  const bins = Math.max(0, ...trials.map(trial => trial.length));
  const result: Overlay = { median: [], low: [], high: [] };
  for (let bin = 0; bin < bins; bin++) {
    const sorted = ascending(trials.flatMap(trial => trial[bin] ?? []));
    result.median.push(quantileOfSorted(sorted, 0.5) ?? null);
    result.low.push(sorted[0] ?? null);
    result.high.push(sorted.at(-1) ?? null);
  }
  return result;
}
