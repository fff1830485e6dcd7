/**
 * Heat map: one number for each pair of values of two varied parameters, in coloured cells that contain the number.
 * Drawn as static SVG by Observable Plot.
 */
import * as Plot from '@observablehq/plot';
import type { Html } from '../html.ts';
import { rowLabels } from './row-labels.ts';
import { image, plotDocument } from './svg.ts';

type HeatCell = {
  x: string;
  y: string;
  value: number | null;
  text: string;
  /** Text of the cell's tooltip, also for readers who do not see the chart. */
  detail: string;
};

type HeatMap = {
  title: string;
  x: { label: string; values: string[] };
  y: { label: string; values: string[] };
  cells: HeatCell[];
};

/**
 * Least spread of the values, as a part of the largest value, at which all colours are used. With a smaller spread
 * fewer colours are used: 59.9 and 60.0 should not contrast.
 */
const leastSpread = 0.2;

/**
 * Returns the strength of a cell's colour, %. The least value gets a faint colour. The colour of the largest value is
 * not so strong that the number in the cell becomes illegible.
 */
function strength(value: number, least: number, most: number): number {
  if (most === least) return 25;
  return Math.round(
    8 + (62 * (value - least)) / Math.max(most - least, leastSpread * Math.max(Math.abs(most), Math.abs(least))),
  );
}

export function heatMap({ title, x, y, cells }: HeatMap): Html {
  const values = cells.flatMap(({ value }) => value ?? []);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const filled = cells.map(cell => ({
    ...cell,
    fill:
      cell.value === null
        ? 'transparent'
        : `color-mix(in srgb, var(--c0) ${strength(cell.value, least, most)}%, var(--back))`,
  }));
  const { marginLeft, axis } = rowLabels(y.values, { mostPx: 250, mostLines: 2, leastPx: 96 });
  const svg = Plot.plot({
    document: plotDocument,
    width: Math.max(330, marginLeft + 14 + 76 * x.values.length),
    height: 64 + 38 * y.values.length,
    marginLeft,
    marginBottom: 44,
    padding: 0.04,
    x: { label: x.label, domain: x.values, tickSize: 0, labelAnchor: 'center', labelArrow: 'none' },
    y: { label: null, domain: y.values },
    marks: [
      axis,
      Plot.cell(filled, { x: 'x', y: 'y', fill: 'fill', title: 'detail' }),
      Plot.text(filled, { x: 'x', y: 'y', text: 'text', fill: 'var(--text)' }),
    ],
  });
  return image(svg, `${title}, ${x.label} across, ${y.label} down: ${cells.map(({ detail }) => detail).join('; ')}`);
}
