/** Chart of frames, one timeline below the other on a common time axis. Static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.ts';
import type { ChartStop } from './chart-data.ts';
import { legend } from './legend.ts';
import { colourOf } from './palette.ts';
import type { StackPart } from './stack-chart.ts';
import { stopMarks } from './stop-marks.ts';
import { image, plotDocument } from './svg.ts';

/** `part`: index into the parts of the chart. */
export type FrameTimeline = {
  label: string;
  stretches: readonly { part: number; from: number; to: number }[];
  /** Drawn lighter, because the frame was not presented. */
  isFaint: boolean;
};

type FrameTimelines = {
  title: string;
  /** Label of the axis, with its unit. */
  label: string;
  parts: readonly StackPart[];
  timelines: readonly FrameTimeline[];
  shade: { from: number; to: number };
  /** Stops of the link. Stops outside the time of the frames are left out. */
  stops: readonly ChartStop[];
};

const [widthPx, leftPx, rightPx, rowPx] = [900, 64, 24, 8];
/** Number of rows from one named row to the next. */
const namedEvery = 5;
/** Opacities of normal and of faint timelines. */
const opacities = [1, 0.4] as const;

/** Returns the chart with its legend. Both leave out parts that no row has. */
export function frameTimelines({ title, label, parts, timelines, shade, stops }: FrameTimelines): Html {
  const pieces = timelines.flatMap(({ label: row, stretches, isFaint }) =>
    stretches
      .filter(({ from, to }) => to > from)
      .map(({ part, from, to }) => ({
        row,
        part,
        from,
        to,
        fill: colourOf(parts[part]!.colour),
        opacity: opacities[isFaint ? 1 : 0],
      })),
  );
  const from = Math.min(shade.from, ...pieces.map(piece => piece.from));
  const to = Math.max(shade.to, ...pieces.map(piece => piece.to));
  const inside = stops
    .filter(stop => stop.to > from && stop.from < to)
    .map(stop => ({ ...stop, from: Math.max(from, stop.from), to: Math.min(to, stop.to) }));
  const svg = Plot.plot({
    document: plotDocument,
    width: widthPx,
    height: 56 + rowPx * timelines.length,
    marginLeft: leftPx,
    marginRight: rightPx,
    marginBottom: 38,
    padding: 0.15,
    x: {
      label,
      labelAnchor: 'left',
      labelArrow: 'none',
      labelOffset: 34,
      grid: true,
      domain: [from, to],
    },
    y: {
      label: null,
      domain: timelines.map(({ label: row }) => row),
      tickSize: 0,
      tickFormat: (row: string, i: number) => (i % namedEvery === 0 ? row : ''),
    },
    marks: [
      Plot.rectX([shade], { x1: 'from', x2: 'to', fill: 'var(--soft)', fillOpacity: 0.18 }),
      ...stopMarks(inside, (to - from) / (widthPx - leftPx - rightPx)),
      Plot.barX(pieces, { x1: 'from', x2: 'to', y: 'row', fill: 'fill', fillOpacity: 'opacity' }),
    ],
  });
  const shown = parts.filter((_, i) => pieces.some(({ part }) => part === i));
  return html`${legend(shown.map(({ name, colour }) => ({ label: name, colour })))}${image(svg, title)}`;
}
