/** Table of the differences from the baseline, each with its interval and whether it is significant. */
import { significance } from '../../../core/stats/false-discovery.ts';
import type { Comparison } from '../../../harness/summary/summary.ts';
import { formatChange, formatInterval, formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { blindness, effects, fewest, isBetter, isChange, judged, pairsOf } from './effects.ts';
import type { Judged } from './effects.ts';

/** What the pairs say of the difference, in words: colour alone would not do. */
function standing(one: Judged): string {
  const {
    unit,
    test: { changed, pairs, smallestShown },
  } = one;
  if (changed === 0) return 'same in every pair';
  if (isChange(one.test)) return isBetter(one) ? 'better' : 'worse';
  if (pairs < fewest) return 'too few pairs';
  return `not significant${smallestShown === null ? '' : `; ${formatValue(smallestShown, unit)} would be`}`;
}

function cell(one: Judged | undefined): Html {
  if (one === undefined) return html`<td>\u2013</td>`;
  const {
    unit,
    test: { shift },
  } = one;
  const text = formatChange(shift, unit);
  const interval = formatInterval(shift, unit);
  const isClaim = isChange(one.test);
  return html`<td>${isClaim ? html`<b>${text}</b>` : text}${interval === '' ? null : html` <small>${interval}</small>`}<small${isClaim ? html` class="${isBetter(one) ? 'valid' : 'invalid'}"` : null}>${standing(one)}</small></td>`;
}

function row(comparison: Comparison, all: readonly Judged[], { summary }: ReportData): Html {
  const title = (of: string) => summary.conditions.find(({ id }) => id === of)!.title;
  return html`<tr><th scope="row">${title(comparison.condition)}<small>minus ${title(comparison.baseline)}</small></th><td>${pairsOf(all)}</td>
${effects.map(({ id }) => cell(all.find(one => one.id === id)))}</tr>`;
}

/** Null where no condition has a pair of trials with its baseline. */
export function differencesTable(report: ReportData): Html | null {
  const rows = report.summary.comparisons.map(comparison => ({ comparison, all: judged(comparison, report.summary) }));
  if (rows.every(({ all }) => all.length === 0)) return null;
  const notes = new Set(rows.flatMap(({ all }) => blindness(all) ?? []));
  return html`<figure id="differences"><div class="scroll"><table>
<thead><tr><th scope="col">Difference</th><th scope="col">Pairs</th>${effects.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ comparison, all }) => row(comparison, all, report))}</tbody></table></div>
<figcaption>Trials of one repeat are a pair. Bold: a significant difference (at least ${fewest} pairs, corrected p below ${significance}, an interval without 0). Brackets: interval of the difference; below ${fewest} pairs their range, which cannot tell a change from chance. ${[
    ...notes,
  ].map(note => `${note} `)}All tests: <a href="#comparisons">Compared with the baseline</a>.</figcaption></figure>`;
}
