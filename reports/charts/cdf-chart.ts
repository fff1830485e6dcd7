/** Chart of cumulative distributions: the share of values at or below x, with x on a logarithmic scale. */
import { ascending } from '../../core/stats/quantile.ts';
import type { Html } from '../html.ts';
import { seriesChart } from './series-chart.ts';

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
  /** Values of the distribution: at least one, all above 0. */
  values: readonly number[];
};

export function cdfChart(title: string, x: string, of: string, distributions: readonly Distribution[]): Html {
  const all = distributions.map(({ values, ...rest }) => ({ ...rest, sorted: ascending(values) }));
  const from = Math.log10(Math.max(0.01, Math.min(...all.map(({ sorted }) => sorted[0]!)) * 0.8));
  const to = Math.log10(Math.max(...all.map(({ sorted }) => sorted.at(-1)!)) * 1.1);
  const xs = Array.from({ length: points }, (_, i) =>
    Number((10 ** (from + ((to - from) * i) / (points - 1))).toPrecision(4)),
  );
  return seriesChart({
    title,
    x: { label: x, values: xs, log: true },
    y: { label: `share of ${of}`, min: 0, max: 1 },
    height: 280,
    lines: all.map(({ label, colour, isDisturbed = false, sorted }) => ({
      label,
      colour,
      ...(isDisturbed ? { dashed: true } : {}),
      values: xs.map(value => Number(cdfAt(sorted, value).toFixed(4))),
      stepped: true,
    })),
  });
}
