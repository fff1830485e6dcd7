/** Bars of conditions, each made of parts that lie end to end. Static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import { Html, html } from '../html.ts';
import { colourOf, paletteSize } from './palette.ts';
import { rowLabels } from './row-labels.ts';
import { plotDocument } from './svg.ts';

export type StackPart = {
  name: string;
  /** Place in the palette. */
  colour: number;
};

type StackChart = {
  /** What the length of a bar is. */
  title: string;
  unit: string;
  parts: readonly StackPart[];
  /** One bar each, with a value for each part. `note`: more words about it for readers who do not see the chart. */
  bars: readonly { label: string; note?: string; values: readonly number[] }[];
};

/** The colours of the palette repeat after its size, lighter. */
const opacityOf = (colour: number) => (colour < paletteSize ? 1 : 0.5);
const rounded = (value: number) => Number(value.toPrecision(3)).toString();

/** The chart with its key; parts that are 0 in every bar are in neither. */
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
  svg.setAttribute('role', 'img');
  svg.setAttribute(
    'aria-label',
    `${title}: ${[
      ...bars.flatMap(({ label, note }) => (note === undefined ? [] : [`${label} ${note}`])),
      ...pieces.filter(({ value }) => value > 0).map(piece => piece.title),
    ].join('; ')}`,
  );
  const key = shown.map(({ name, colour }) => {
    const style = `background:${colourOf(colour)};opacity:${opacityOf(colour)}`;
    const swatch = html`<span class="swatch" style="${style}"></span>`;
    return html`<span style="margin-right:14px;white-space:nowrap">${swatch}${name}</span> `;
  });
  return html`<p class="facts">${key}</p>${new Html(svg.outerHTML)}`;
}
