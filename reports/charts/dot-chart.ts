/**
 * Chart with a row for each condition: a dot for each trial, and the median with its interval. Drawn as static SVG by
 * Observable Plot.
 */
import * as Plot from '@observablehq/plot';
import { formatMedian, formatNumber, formatValue, scaleToShown, shownUnit } from '../format.ts';
import type { Html } from '../html.ts';
import { colourOf } from './palette.ts';
import { rowLabels } from './row-labels.ts';
import { image, plotDocument } from './svg.ts';

/** Row of a dot chart. Numbers are in the unit that the summary uses. */
export type DotGroup = {
  label: string;
  colour: number;
  /** Values of the trials, drawn as dots. */
  values: readonly number[];
  median: number | null;
  low: number | null;
  high: number | null;
  /** True if the row shows a try that does not count. It is drawn with crosses and without a median. */
  isDisturbed?: boolean;
  /** Further text of the row's description, for readers who do not see the chart. */
  note?: string;
};

type DotChart = {
  title: string;
  /** Unit of the values as the summary states it. */
  unit: string;
  /** Name of the value that the vertical line of a row shows. Default: "median". */
  estimate?: string;
  groups: DotGroup[];
  width?: number;
  /** Value at which a dashed line is drawn. If missing, a line is drawn at 0. */
  reference?: number;
};

export function dotChart({ title, unit, estimate = 'median', groups, width = 330, reference }: DotChart): Html {
  const shown = shownUnit(unit);
  const dots = groups.flatMap(group =>
    group.values.map(value => ({
      label: group.label,
      value: scaleToShown(value, unit),
      colour: group.isDisturbed === true ? 'var(--bad)' : colourOf(group.colour),
      isDisturbed: group.isDisturbed === true,
    })),
  );
  const medians = groups.flatMap(({ label, colour, median, low, high, note }) => {
    if (median === null) return [];
    const bounds = low === null || high === null ? [] : [low, high];
    const interval = bounds.map(bound => formatNumber(bound, unit, [median, ...bounds])).join(' to ');
    const said = [
      `${label}: ${estimate} ${formatMedian({ value: median, low, high }, unit)}`,
      interval === '' ? '' : `, interval ${interval}`,
      note === undefined ? '' : ` (${note})`,
    ];
    return [
      {
        label,
        value: scaleToShown(median, unit),
        low: scaleToShown(low ?? median, unit),
        high: scaleToShown(high ?? median, unit),
        colour: colourOf(colour),
        title: said.join(''),
      },
    ];
  });
  // if every value is 0, the data give no scale
  const largest = Math.max(
    ...dots.map(dot => Math.abs(dot.value)),
    ...medians.flatMap(median => [Math.abs(median.low), Math.abs(median.high)]),
    0,
  );
  const labels = groups.map(group => group.label);
  // a narrow chart keeps its width for the values, so its labels may take more lines
  const { marginLeft, axis } = rowLabels(labels, { mostPx: Math.max(120, width / 3), mostLines: 3, leastPx: 96 });
  const svg = Plot.plot({
    document: plotDocument,
    width,
    height: 40 + 44 * groups.length,
    marginLeft,
    marginRight: 16,
    x: {
      label: `${title}${shown === '' ? '' : ` (${shown})`}`,
      labelAnchor: 'left',
      labelArrow: 'none',
      labelOffset: 34,
      zero: true,
      nice: true,
      grid: true,
      ticks: 5,
      ...(largest === 0 ? { domain: [0, 1] } : {}),
    },
    y: { label: null, domain: labels },
    marginBottom: 38,
    marks: [
      axis,
      ...(reference === undefined ? [Plot.ruleX([0])] : [Plot.ruleX([reference], { strokeDasharray: '4 3' })]),
      Plot.ruleY(medians, {
        y: 'label',
        x1: 'low',
        x2: 'high',
        stroke: 'colour',
        strokeWidth: 3,
        strokeOpacity: 0.45,
        strokeLinecap: 'round',
      }),
      Plot.dot(
        dots.filter(dot => !dot.isDisturbed),
        { x: 'value', y: 'label', stroke: 'colour', r: 3, strokeOpacity: 0.7 },
      ),
      Plot.dot(
        dots.filter(dot => dot.isDisturbed),
        { x: 'value', y: 'label', stroke: 'colour', symbol: 'times', r: 5, strokeWidth: 2 },
      ),
      Plot.tickX(medians, {
        x: 'value',
        y: 'label',
        stroke: 'colour',
        strokeWidth: 3,
        insetTop: 8,
        insetBottom: 8,
        title: 'title',
      }),
    ],
  });
  const disturbed = groups.flatMap(({ label, values, isDisturbed = false }) =>
    isDisturbed ? values.map(value => `${label}: ${formatValue(value, unit)}`) : [],
  );
  return image(svg, `${title}: ${[...medians.map(median => median.title), ...disturbed].join('; ')}`);
}
