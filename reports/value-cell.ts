/**
 * Table cell of a median with its interval. If its n differs from the table's, the cell shows n and coverage as well.
 */
import type { SummaryValue } from '../harness/analysis/summary/summary.ts';
import { formatChange, formatInterval, formatMedian, ownCoverage } from './format.ts';
import { type Html, html } from './html.ts';

/** Line for a value whose n is not that of the table. */
const ownN = ({ n, confidence }: SummaryValue, interval: string) =>
  interval === '' || confidence === null ? `n = ${n}` : ownCoverage({ n, confidence });

/**
 * `signed`: writes a plus sign before a rise. `columns`: number of columns that the cell spans, 1 by default. `trials`:
 * the n that the table states for all cells, together with its coverage.
 */
export function valueCell(
  value: SummaryValue,
  unit: string,
  { signed = false, columns = 1, trials = value.n } = {},
): Html {
  const interval = formatInterval(value, unit);
  const isAsTable = value.n === 0 || value.n === trials;
  const below = [interval, isAsTable ? '' : ownN(value, interval)].filter(line => line !== '');
  const text = signed ? formatChange(value, unit) : formatMedian(value, unit);
  const inner = html`<span class="value">${text}</span>${below.map(line => html`<small>${line}</small>`)}`;
  return columns === 1 ? html`<td>${inner}</td>` : html`<td colspan="${columns}">${inner}</td>`;
}
