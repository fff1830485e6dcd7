/** A zoomable chart of lines over a common x axis, drawn by uPlot in the reader's browser (reports/page/charts.ts). */
import { html, json } from '../html.ts';
import type { Html } from '../html.ts';

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

export function seriesChart(chart: SeriesChart): Html {
  return html`<div class="chart" tabindex="0" role="img" aria-label="${chart.title}: ${chart.y.label} over ${chart.x.label}. Arrow keys move the cursor."><script type="application/json">${json(chart)}</script></div>`;
}
