/**
 * Chart of cumulative distributions: the share of values at or below x, with x on a logarithmic scale. Each trial has a
 * distribution of its own. A line is the median of the trials at each x, with their range as a band: pooled values would
 * hide how much trials differ.
 */
import { ascending, median } from '../../core/stats/quantile.ts';
import type { Html } from '../html.ts';
import { seriesChart } from './series-chart.ts';
import { trialLine } from './trial-lines.ts';

/** Number of points of a line, evenly spaced on the logarithmic x axis. */
const points = 240;

/** Returns the share of the sorted values that are at or below x. */
function cdfAt(sorted: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

type Distribution = {
  label: string;
  colour: number;
  isDisturbed?: boolean;
  /** Values of each trial: at least one of each, all above 0. */
  trials: readonly (readonly number[])[];
};

export function cdfChart(title: string, x: string, of: string, distributions: readonly Distribution[]): Html {
  const all = distributions.map(({ trials, ...rest }) => ({ ...rest, sorted: trials.map(ascending) }));
  const each = all.flatMap(({ sorted }) => sorted);
  const from = Math.log10(Math.max(0.01, Math.min(...each.map(sorted => sorted[0]!)) * 0.8));
  const to = Math.log10(Math.max(...each.map(sorted => sorted.at(-1)!)) * 1.1);
  const xs = Array.from({ length: points }, (_, i) =>
    Number((10 ** (from + ((to - from) * i) / (points - 1))).toPrecision(4)),
  );
  return seriesChart({
    title,
    x: { label: x, values: xs, log: true },
    y: { label: `share of ${of}`, min: 0, max: 1 },
    height: 280,
    lines: all.map(({ colour, sorted, ...shown }) =>
      trialLine(
        shown,
        colour,
        sorted.map(own => xs.map(x => Number(cdfAt(own, x).toFixed(4)))),
        true,
      ),
    ),
  });
}

/** Explains the lines: median and range of the trials' distributions, and the median of their medians. */
export function cdfCaption(distributions: readonly Pick<Distribution, 'label' | 'trials'>[]): string {
  const medians = distributions
    .map(({ label, trials }) => `${label} ${median(trials.map(values => median(values)!))!.toFixed(1)} ms`)
    .join('; ');
  const isOne = distributions.every(({ trials }) => trials.length === 1);
  const lines = isOne
    ? 'lines: the one trial'
    : "lines: median of the trials' distributions at each value; bands: their range";
  return `${lines}. Median${isOne ? '' : " of the trials' medians"}: ${medians}.`;
}
