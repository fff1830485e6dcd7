/** Chart of a value with its intervals over the cycles of a study. Drawn as static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import { scaleToShown, shownUnit } from '../format.ts';
import { type Html, html } from '../html.ts';
import { legend } from './legend.ts';
import { colourOf } from './palette.ts';
import { image, plotDocument } from './svg.ts';

type Value = { value: number | null; low: number | null; high: number | null };

/** Line of a chart. `values`: one value per cycle; undefined if the cycle did not measure it. */
type HistoryLine = { label: string; values: readonly (Value | undefined)[] };

/** Maximum number of cycles with a label on the axis. */
const mostTicks = 12;
const [widthPx, heightPx] = [620, 240];

/**
 * Returns the chart. Null if there are fewer than two cycles or no values. `fair`: value at which a dashed line is
 * drawn.
 */
export function historyChart(
  title: string,
  unit: string,
  cycles: readonly string[],
  lines: readonly HistoryLine[],
  fair: number | null = null,
): Html | null {
  const shown = lines.filter(({ values }) => values.some(value => value?.value != null));
  if (cycles.length < 2 || shown.length === 0) return null;
  const scale = (value: number) => scaleToShown(value, unit);
  const points = shown.flatMap(({ label, values }, k) =>
    values.map((estimate, i) => ({
      cycle: cycles[i]!,
      label,
      colour: colourOf(k),
      value: estimate?.value == null ? NaN : scale(estimate.value),
      low: estimate?.low == null ? null : scale(estimate.low),
      high: estimate?.high == null ? null : scale(estimate.high),
    })),
  );
  const step = Math.ceil(cycles.length / mostTicks);
  const svg = Plot.plot({
    document: plotDocument,
    width: widthPx,
    height: heightPx,
    marginLeft: 56,
    marginBottom: 38,
    x: {
      type: 'point',
      domain: cycles,
      label: 'Cycle',
      labelAnchor: 'left',
      labelArrow: 'none',
      labelOffset: 34,
      ticks: cycles.filter((_, k) => k % step === 0),
    },
    y: {
      label: `${title}${shownUnit(unit) === '' ? '' : ` (${shownUnit(unit)})`}`,
      labelArrow: 'none',
      grid: true,
      zero: true,
      nice: true,
    },
    marks: [
      ...(fair === null ? [] : [Plot.ruleY([scale(fair)], { stroke: 'var(--soft)', strokeDasharray: '4 3' })]),
      Plot.ruleX(
        points.filter(({ low, high }) => low !== null && high !== null),
        { x: 'cycle', y1: 'low', y2: 'high', stroke: 'colour', strokeWidth: 3, strokeOpacity: 0.45 },
      ),
      Plot.line(points, { x: 'cycle', y: 'value', z: 'label', stroke: 'colour' }),
      Plot.dot(
        points.filter(({ value }) => !Number.isNaN(value)),
        { x: 'cycle', y: 'value', fill: 'colour', r: 3 },
      ),
    ],
  });
  const name = `${title} over the cycles: ${shown.map(({ label }) => label).join(', ')}`;
  return html`${image(svg, name)}${legend(shown.map(({ label }, k) => ({ label, colour: k })))}`;
}
