/** A cell of a table: a median, and its interval below it; with its own n and coverage where n is not the table's. */
import type { SummaryValue } from '../harness/summary/summary.ts';
import { formatChange, formatInterval, formatMedian, ownCoverage } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

/**
 * `signed`: a rise has a plus before it. `columns`: that the cell takes, 1 unless told. `trials`: what the table says n
 * is, whose coverage it tells, too.
 */
export function valueCell(
  value: SummaryValue,
  unit: string,
  { signed = false, columns = 1, trials = value.n } = {},
): Html {
  const interval = formatInterval(value, unit);
  const inner = html`${signed ? formatChange(value, unit) : formatMedian(value, unit)}${interval === '' ? null : html`<small>${interval}</small>`}${value.n === 0 || value.n === trials ? null : html`<small>${interval === '' || value.confidence === null ? `n = ${value.n}` : ownCoverage({ n: value.n, confidence: value.confidence })}</small>`}`;
  return columns === 1 ? html`<td>${inner}</td>` : html`<td colspan="${columns}">${inner}</td>`;
}
