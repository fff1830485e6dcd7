/**
 * Zoomable chart of lines over a common x axis. uPlot draws the chart in the reader's browser (reports/page/script). If
 * scripts do not run, the page shows a still image.
 */
import { type Html, html, json } from '../html.ts';
import type { SeriesChart } from './chart-data.ts';
import { paletteSize } from './palette.ts';
import { stillSeries } from './still-series.ts';

export type { ChartLine, ChartMark, ChartPhase, ChartStop, SeriesChart } from './chart-data.ts';

/** Limits each colour index to the palette. The page's script looks colours up by this index. */
function coloured<T extends { colour: number }>(parts: readonly T[]): T[] {
  return parts.map(part => ({ ...part, colour: part.colour % paletteSize }));
}

/** Largest number of values of a line that has dots. Stepped lines never have dots, because each step is visible. */
const fewValues = 40;

export function seriesChart({ phases = [], stops = [], ...given }: SeriesChart): Html {
  const chart: SeriesChart = {
    ...given,
    ...(given.x.values.length <= fewValues && !given.lines.some(line => line.stepped) ? { dots: true } : {}),
    lines: coloured(given.lines),
    ...(given.marks === undefined ? {} : { marks: coloured(given.marks) }),
    ...(phases.length === 0 ? {} : { phases }),
    ...(stops.length === 0 ? {} : { stops }),
  };
  const what = `${chart.title}: ${chart.y.label} over ${chart.x.label}.`;
  const keys = 'Arrow keys move the cursor, plus and minus zoom, Escape shows the whole.';
  return html`<div class="chart" tabindex="0" role="group" aria-label="${what} ${keys}">
<script type="application/json">${json(chart)}</script></div><noscript>${stillSeries(chart)}</noscript>`;
}
