/** Parts that the sections on causes share: the chart of their shares, and the table of what had them. */
import { stackChart } from './charts/stack-chart.ts';
import { shownTitle } from './disturbed.ts';
import { formatValue } from './format.ts';
import { type Html, html } from './html.ts';
import type { ReportData } from './report.ts';

/** Maximum number of rows in a table. If there are more, it shows the longest. */
const mostRows = 200;

/** Row of a table. `atS`: begin in the window of the trial. */
type Row = { trial: string; atS: number; lengthMs: number };

/** Returns the titles of the conditions by id. */
export const titlesOf = ({ summary }: ReportData): ReadonlyMap<string, string> =>
  new Map(summary.conditions.map(own => [own.id, shownTitle(own)]));

/** Returns the longest rows, in their order. */
export function longestOf<R extends Row>(rows: readonly R[]): R[] {
  const longest = new Set([...rows].sort((a, b) => b.lengthMs - a.lengthMs).slice(0, mostRows));
  return rows.filter(row => longest.has(row));
}

/** Returns the note below a table that does not show all rows; null if it does. */
export const leftOutNote = (shown: number, all: number): Html | null =>
  all > shown ? html`<figcaption>The ${shown} longest of ${all}.</figcaption>` : null;

/** Returns the first cells of a row: trial with its condition, time and length. `more`: behind the length. */
export const firstCells = ({ trial, atS, lengthMs }: Row, title: string, more: Html | null = null): Html => html`
<td style="white-space:nowrap"><a href="#trial-${trial}">${trial}</a><small>${title}</small></td>
<td style="white-space:nowrap">${formatValue(atS, 's')}</td>
<td style="white-space:nowrap">${formatValue(lengthMs, 'ms')}${more}</td>`;

/**
 * Returns a chart of the share of each cause in a time. `words`: words of the causes by id, in the order of the chart.
 * `bars`: one for each condition, with the time of a cause, or of all, ms.
 */
export function causeChart<C extends string>(
  title: string,
  words: Readonly<Record<C, string>>,
  bars: readonly { label: string; note: string; timeMs: (cause?: C) => number }[],
): Html {
  const ids = Object.keys(words) as C[];
  return stackChart({
    title,
    unit: '%',
    parts: ids.map((cause, colour) => ({ name: words[cause], colour })),
    bars: bars.map(({ label, note, timeMs }) => ({
      label,
      note,
      values: ids.map(cause => (100 * timeMs(cause)) / timeMs()),
    })),
  });
}
