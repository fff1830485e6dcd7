/** A zoomable chart of lines over a common x axis, drawn by uPlot in the reader's browser (reports/page/charts.ts). */
import { html, json } from '../html.ts';
import type { Html } from '../html.ts';
import { paletteSize } from './palette.ts';

export type ChartLine = {
  label: string;
  /** Place in the palette. */
  colour: number;
  values: (number | null)[];
  /** Range around the line, drawn as a band; null where there is none. */
  band?: { low: (number | null)[]; high: (number | null)[] };
  /** Steps instead of slopes between points. */
  stepped?: boolean;
};

/** A mark on the x axis: a stall. */
export type ChartMark = { from: number; to: number; label: string; colour: number };

export type SeriesChart = {
  title: string;
  x: { label: string; values: number[]; log?: boolean };
  y: { label: string; min?: number; max?: number };
  lines: ChartLine[];
  marks?: ChartMark[];
  height?: number;
};

/** Colours within the palette, which the page's script looks up by number. */
function coloured<T extends { colour: number }>(parts: readonly T[]): T[] {
  return parts.map(part => ({ ...part, colour: part.colour % paletteSize }));
}

export function seriesChart(given: SeriesChart): Html {
  const chart = { ...given, lines: coloured(given.lines), ...(given.marks === undefined ? {} : { marks: coloured(given.marks) }) };
  return html`<div class="chart" tabindex="0" role="img" aria-label="${chart.title}: ${chart.y.label} over ${chart.x.label}. Arrow keys move the cursor."><script type="application/json">${json(chart)}</script></div>`;
}
