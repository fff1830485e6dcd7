/**
 * Table cell with a median and its interval. If its n differs from the n of the table, the cell also shows n and
 * coverage.
 */

import type { Estimate } from '../core/vocabulary/estimate.ts';
import { formatChange, formatInterval, formatMedian, ownCoverage } from './format.ts';
import { type Html, html } from './html.ts';

/** Returns the line with n and coverage for a value whose n differs from the n of the table. */
const ownN = ({ n, confidence }: Estimate, interval: string) =>
  interval === '' || confidence === null ? `n = ${n}` : ownCoverage({ n, confidence });

/**
 * Returns the cell. `signed`: adds a plus sign to a positive value. `columns`: number of columns that the cell spans,
 * default 1. `trials`: the n that the table states for all cells, together with the coverage.
 */
export function valueCell(value: Estimate, unit: string, { signed = false, columns = 1, trials = value.n } = {}): Html {
  const interval = formatInterval(value, unit);
  const isAsTable = value.n === 0 || value.n === trials;
  const below = [interval, isAsTable ? '' : ownN(value, interval)].filter(line => line !== '');
  const text = signed ? formatChange(value, unit) : formatMedian(value, unit);
  const inner = html`<span class="value">${text}</span>${below.map(line => html`<small>${line}</small>`)}`;
  return columns === 1 ? html`<td>${inner}</td>` : html`<td colspan="${columns}">${inner}</td>`;
}
