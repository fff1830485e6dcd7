/** Stacked area chart of the parts of a whole over time. Drawn as static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.ts';
import type { ChartStop } from './chart-data.ts';
import { legend } from './legend.ts';
import { colourOf, opacityOf } from './palette.ts';
import { stopMarks } from './stop-marks.ts';
import { image, plotDocument } from './svg.ts';

type AreaChart = {
  title: string;
  x: { label: string; values: readonly number[] };
  /** `max`: largest value that the whole can have. */
  y: { label: string; max?: number };
  /** Parts from bottom to top. Each part has one value per x. */
  parts: readonly { label: string; values: readonly number[] }[];
  stops: readonly ChartStop[];
};

const [widthPx, heightPx, leftPx] = [900, 260, 56];

export function areaChart({ title, x, y, parts, stops }: AreaChart): Html {
  const points = parts.flatMap(({ label, values }, place) =>
    values.map((value, i) => ({
      x: x.values[i]!,
      y: value,
      label,
      colour: colourOf(place),
      opacity: opacityOf(place),
    })),
  );
  const pixel = (x.values.at(-1)! - x.values[0]!) / (widthPx - leftPx);
  const svg = Plot.plot({
    document: plotDocument,
    width: widthPx,
    height: heightPx,
    marginLeft: leftPx,
    marginBottom: 38,
    x: { label: x.label, labelAnchor: 'left', labelArrow: 'none', labelOffset: 34 },
    y: { label: y.label, labelArrow: 'none', grid: true, ...(y.max === undefined ? {} : { domain: [0, y.max] }) },
    marks: [
      Plot.areaY(
        points,
        Plot.stackY(
          { order: parts.map(({ label }) => label) },
          {
            x: 'x',
            y: 'y',
            z: 'label',
            fill: 'colour',
            fillOpacity: 'opacity',
            curve: 'step-after',
            title: 'label',
          },
        ),
      ),
      ...stopMarks(stops, pixel),
      Plot.ruleY([0]),
    ],
  });
  const entries = parts.map(({ label }, place) => ({ label, colour: place, opacity: opacityOf(place) }));
  return html`${image(svg, title)}${legend(entries)}`;
}
