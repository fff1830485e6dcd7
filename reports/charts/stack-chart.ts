/** Bar chart with one bar for each condition, made of parts end to end. Drawn as static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.ts';
import { legend } from './legend.ts';
import { colourOf, opacityOf } from './palette.ts';
import { rowLabels } from './row-labels.ts';
import { image, plotDocument } from './svg.ts';

export type StackPart = {
  name: string;
  /** Index of the part's colour in the palette. */
  colour: number;
};

type StackChart = {
  /** Name of the quantity that the length of a bar shows. */
  title: string;
  unit: string;
  parts: readonly StackPart[];
  /**
   * Bars, each with one value per part. `note`: further description of the bar for readers who do not see the chart.
   */
  bars: readonly { label: string; note?: string; values: readonly number[] }[];
};

const rounded = (value: number) => Number(value.toPrecision(3)).toString();

/** Returns the chart with its legend. Parts that are 0 in every bar are left out of both. */
export function stackChart({ title, unit, parts, bars }: StackChart): Html {
  const shown = parts.map((part, i) => ({ ...part, i })).filter(({ i }) => bars.some(bar => bar.values[i]! > 0));
  const pieces = bars.flatMap(({ label, values }) =>
    shown.map(({ name, colour, i }) => ({
      label,
      value: values[i]!,
      colour: colourOf(colour),
      opacity: opacityOf(colour),
      title: `${label}, ${name}: ${rounded(values[i]!)} ${unit}`,
    })),
  );
  const labels = bars.map(bar => bar.label);
  const { marginLeft, axis } = rowLabels(labels, { mostPx: 250, mostLines: 2, leastPx: 150 });
  const svg = Plot.plot({
    document: plotDocument,
    width: 900,
    height: 50 + 34 * bars.length,
    marginLeft,
    marginRight: 24,
    marginBottom: 38,
    x: {
      label: `${title} (${unit})`,
      labelAnchor: 'left',
      labelArrow: 'none',
      labelOffset: 34,
      grid: true,
      ticks: 6,
      ...(pieces.every(({ value }) => value === 0) ? { domain: [0, 1] } : {}),
    },
    y: { label: null, domain: labels },
    marks: [
      axis,
      Plot.barX(pieces, {
        x: 'value',
        y: 'label',
        fill: 'colour',
        fillOpacity: 'opacity',
        title: 'title',
        insetTop: 4,
        insetBottom: 4,
        order: null,
      }),
      Plot.ruleX([0]),
    ],
  });
  const words = [
    ...bars.flatMap(({ label, note }) => (note === undefined ? [] : [`${label} ${note}`])),
    ...pieces.filter(({ value }) => value > 0).map(piece => piece.title),
  ];
  const entries = shown.map(({ name, colour }) => ({ label: name, colour, opacity: opacityOf(colour) }));
  return html`${legend(entries)}${image(svg, `${title}: ${words.join('; ')}`)}`;
}
