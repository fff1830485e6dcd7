/** Table of the differences from the baseline, each with its interval and the result of its test. */
import { significance } from '../../../core/stats/false-discovery.ts';
import { hodgesLehmann, power } from '../../../core/stats/signed-rank.ts';
import { pairsOf as trialPairsOf } from '../../../core/vocabulary/trial-pairs.ts';
import type { Comparison } from '../../../harness/analysis/summary/summary.ts';
import { formatChange, formatInterval, formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { isCall, isRate, ratesOf } from '../../subject-rate.ts';
import { type OneThing, oneThingApart } from './confounded.ts';
import {
  alikeWords,
  type Effect,
  effectsOf,
  fewest,
  isBetter,
  isChange,
  type Judged,
  judged,
  notTestable,
  pairsOf,
} from './effects.ts';

const detectablePercent = Math.round(power * 100);

const listedParts = (parts: readonly string[]) => parts.filter(part => part !== '').join('; ');

/** Describes if the pairs of trials show a difference. Not every reader can distinguish the colours of the table. */
function standing(one: Judged): string {
  const {
    unit,
    test: { changed, pairs, smallestShown },
  } = one;
  if (changed === 0) return 'no pair differs';
  if (isChange(one.test)) return isBetter(one) ? 'better' : 'worse';
  if (pairs < fewest) return 'too few pairs';
  if (smallestShown === null) return listedParts([alikeWords(one.test), notTestable]);
  return `not significant; detectable with ${detectablePercent} % power: ${formatValue(smallestShown, unit)}`;
}

function cell(one: Judged | undefined): Html {
  if (one === undefined) return html`<td>\u2013</td>`;
  const {
    unit,
    test: { shift },
  } = one;
  const text = formatChange(shift, unit);
  const interval = formatInterval(shift, unit);
  const beside = interval === '' ? null : html` <small>${interval}</small>`;
  if (!isChange(one.test)) return html`<td>${text}${beside}<small>${standing(one)}</small></td>`;
  const css = isBetter(one) ? 'valid' : 'invalid';
  return html`<td><b>${text}</b>${beside}<small class="${css}">${standing(one)}</small></td>`;
}

function row(comparison: Comparison, all: readonly Judged[], shown: readonly Effect[], { summary }: ReportData): Html {
  const title = (of: string) => summary.conditions.find(({ id }) => id === of)!.title;
  const [own, base] = [title(comparison.condition), title(comparison.baseline)];
  return html`<tr><th scope="row">${own}<small>minus ${base}</small></th><td>${pairsOf(all)}</td>
${shown.map(({ id }) => cell(all.find(one => one.id === id)))}</tr>`;
}

/**
 * Returns the row of two conditions that differ in one part. Its numbers are not tested, because tests compare a
 * condition with its baseline.
 */
function apartRow({ condition, than, word }: OneThing, shown: readonly Effect[], { summary }: ReportData): Html {
  const all = shown.map(({ id }) => {
    const pairs = trialPairsOf({ id: condition.id, baseline: than.id }, summary.trials, id);
    return { pairs, unit: quantityOf(summary.quantities, id).unit };
  });
  return html`<tr><th scope="row">${condition.title}<small>minus ${than.title}: ${word} only</small></th>
<td>${Math.max(...all.map(({ pairs }) => pairs.length))}</td>
${all.map(({ pairs, unit }) => {
  const shift = hodgesLehmann(pairs.map(({ own, base }) => own - base));
  if (shift === undefined) return html`<td>\u2013</td>`;
  const { low = null, high = null } = shift.interval ?? {};
  const change = { value: shift.value, low, high, n: pairs.length };
  const interval = formatInterval(change, unit);
  return html`<td>${formatChange(change, unit)}
${interval === '' ? null : html` <small>${interval}</small>`}<small>not tested</small></td>`;
})}</tr>`;
}

/** Returns the table. Null if no condition has a pair of trials with its baseline. */
export function differencesTable(report: ReportData): Html | null {
  const rows = report.summary.comparisons.map(comparison => ({ comparison, all: judged(comparison, report) }));
  if (rows.every(({ all }) => all.length === 0)) return null;
  const rates = ratesOf(report.summary);
  const hasCall = report.plan.conditions.some(isCall);
  const shown = effectsOf(report).filter(({ id }) =>
    isRate(id) ? rates.includes(id) : hasCall || rows.some(({ all }) => all.some(one => one.id === id)),
  );
  const counts = rows.map(({ all }) => pairsOf(all)).filter(pairs => pairs > 0);
  const isFew = counts.some(pairs => pairs < fewest);
  const isDetectable = rows.some(({ all }) => all.some(one => standing(one).includes('detectable')));
  const few = isFew ? `; below ${fewest} pairs their range, which cannot tell a change from chance` : '';
  const detectable = isDetectable
    ? `Detectable: a true difference of that size would be significant in ${detectablePercent} of 100 such studies, ` +
      'by the spread of the pairs of this row. '
    : '';
  const apart = oneThingApart(report);
  const only =
    apart.length > 0
      ? 'Rows with "only": two conditions that differ in this one thing; not tested, as the tests are of the baseline. '
      : '';
  const secondary = shown.some(({ isSecondary }) => isSecondary)
    ? 'Secondary: not what the study asks; tested as one of all its other metrics. '
    : '';
  const allTests = html`All tests: <a href="#comparisons">Compared with the baseline</a>.`;
  return html`<figure id="differences"><div class="scroll"><table>
<thead><tr><th scope="col">Difference</th>
<th scope="col">Pairs</th>
${shown.map(({ name, isSecondary }) => html`<th scope="col">${name}${isSecondary ? html`<small>secondary</small>` : null}</th>`)}</tr></thead>
<tbody>${rows.map(({ comparison, all }) => row(comparison, all, shown, report))}
${apart.map(one => apartRow(one, shown, report))}</tbody></table></div>
<figcaption>Trials of one repeat are a pair; the difference is the Hodges-Lehmann estimate over the pairs. Bold: a
significant difference (at least ${fewest} pairs, corrected p below ${significance}, an interval without 0). Brackets:
interval of the difference${few}. ${detectable}${secondary}${only}
<span data-alone="All tests are in the HTML report.">${allTests}</span></figcaption></figure>`;
}
