/** Draws a series chart as static SVG by Observable Plot, for readers without scripts. */
import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.ts';
import type { SeriesChart } from './chart-data.ts';
import { legend } from './legend.ts';
import { colourOf } from './palette.ts';
import { stopMarks } from './stop-marks.ts';
import { image, plotDocument } from './svg.ts';

/** Maximum number of points that are drawn of one line. */
const mostPoints = 400;
/** Width of the image, of the margin at the left of the axis, and of a letter, px. */
const [widthPx, leftPx, letterPx] = [620, 56, 6];
/** Opacities with which phases are shaded alternately. page/script/chart.ts has the same values. */
const phaseOpacities = [0.2, 0.08] as const;

export function stillSeries({
  title,
  x,
  y,
  lines,
  marks = [],
  phases = [],
  stops = [],
  dots = false,
  height = 230,
}: SeriesChart): Html {
  const step = Math.ceil(x.values.length / mostPoints);
  const points = lines.flatMap(({ label, colour, values, dashed = false }) =>
    values.flatMap((value, i) =>
      i % step > 0 ? [] : [{ x: x.values[i]!, y: value ?? NaN, label, dashed, colour: colourOf(colour) }],
    ),
  );
  const bands = lines.flatMap(({ label, colour, band }) =>
    (band?.low ?? []).flatMap((low, i) =>
      i % step > 0
        ? []
        : [{ x: x.values[i]!, low: low ?? NaN, high: band!.high[i] ?? NaN, label, colour: colourOf(colour) }],
    ),
  );
  const stretches = marks.map(({ from, to, colour }) => ({ from, to, colour: colourOf(colour) }));
  const pxPerX = (widthPx - leftPx) / (x.values.at(-1)! - x.values[0]!);
  const shades = phases.map((phase, i) => ({ ...phase, opacity: phaseOpacities[i % 2]! }));
  const curve = lines.some(line => line.stepped) ? 'step-after' : 'linear';
  const svg = Plot.plot({
    document: plotDocument,
    width: widthPx,
    height: height + 20,
    marginLeft: leftPx,
    marginBottom: 38,
    x: {
      label: x.label,
      labelAnchor: 'left',
      labelArrow: 'none',
      labelOffset: 34,
      type: x.log === true ? 'log' : 'linear',
      ...(x.log === true ? { tickFormat: '~g' } : {}),
    },
    y: { label: y.label, labelArrow: 'none', grid: true, ...(y.min === undefined ? {} : { zero: y.min === 0 }) },
    marks: [
      Plot.rectX(shades, { x1: 'from', x2: 'to', fill: 'var(--soft)', fillOpacity: 'opacity' }),
      Plot.text(
        shades.filter(({ from, to, label }) => (to - from) * pxPerX > letterPx * (label.length + 1)),
        {
          x: 'from',
          text: 'label',
          frameAnchor: 'bottom-left',
          textAnchor: 'start',
          dx: 4,
          dy: -2,
          fill: 'var(--soft)',
        },
      ),
      Plot.rectX(stretches, {
        x1: 'from',
        x2: 'to',
        fill: 'colour',
        fillOpacity: new Set(marks.map(mark => mark.colour)).size > 1 ? 0.15 : 0.35,
      }),
      ...stopMarks(stops, 1 / pxPerX),
      Plot.areaY(bands, { x: 'x', y1: 'low', y2: 'high', z: 'label', fill: 'colour', fillOpacity: 0.18, curve }),
      ...(dots ? [Plot.dot(points, { x: 'x', y: 'y', fill: 'colour', r: 3 })] : []),
      ...[false, true].map(dashed =>
        Plot.line(
          points.filter(point => point.dashed === dashed),
          { x: 'x', y: 'y', z: 'label', stroke: 'colour', curve, ...(dashed ? { strokeDasharray: '6 4' } : {}) },
        ),
      ),
    ],
  });
  return html`${image(svg, title)}${legend(lines)}`;
}
