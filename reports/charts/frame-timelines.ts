/**
 * Chart of frames: one timeline for each frame, one below the other, on a common time axis. Drawn as static SVG by
 * Observable Plot.
 */
import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.ts';
import type { ChartStop } from './chart-data.ts';
import { legend } from './legend.ts';
import { colourOf } from './palette.ts';
import type { StackPart } from './stack-chart.ts';
import { stopMarks } from './stop-marks.ts';
import { image, plotDocument } from './svg.ts';

/** Timeline of one frame, made of stretches. `part`: index of the stretch's part in `parts` of the chart. */
export type FrameTimeline = {
  label: string;
  stretches: readonly { part: number; from: number; to: number }[];
  /** True: the timeline is drawn lighter, because the frame was not presented. */
  isFaint: boolean;
};

type FrameTimelines = {
  title: string;
  /** Label of the time axis, with its unit. */
  label: string;
  parts: readonly StackPart[];
  timelines: readonly FrameTimeline[];
  shade: { from: number; to: number };
  /** Stops of the link. Stops outside the time range of the frames are not drawn. */
  stops: readonly ChartStop[];
};

const [widthPx, leftPx, rightPx, rowPx] = [900, 64, 24, 8];
/** Every fifth row has a label on the axis. */
const namedEvery = 5;
/** Opacity of the timelines of presented frames, and of frames that were not presented. */
const opacities = [1, 0.4] as const;

/** Returns the chart with its legend. Parts that no timeline has are left out of both. */
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
