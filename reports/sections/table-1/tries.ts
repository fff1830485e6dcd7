/** Tries of each condition: how many are valid or void and why, and whether that changes the medians. */
import { headline } from '../../../core/headline.ts';
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';

function reasonsCell({ reasons }: ConditionSummary, status: 'degraded' | 'invalid'): Html {
  const own = reasons.filter(reason => reason.status === status);
  return html`<td>${own.length === 0 ? '\u2013' : own.map(({ text, tries }) => html`<small>${text} (${tries})</small>`)}</td>`;
}

/** Null where nothing was tried. */
export function triesTable({ summary: { conditions, quantities } }: ReportData): Html | null {
  const tried = conditions.filter(({ trials, voided }) => trials + voided > 0);
  if (tried.length === 0) return null;
  const hasValid = tried.some(({ trials }) => trials > 0);
  const known = headline.filter(id => quantities.some(quantity => quantity.id === id));
  return html`<figure id="tries"><div class="scroll"><table>
<thead><tr><th>Tries</th><th>all</th><th>valid</th><th>valid, disturbed</th><th>void</th><th>Why disturbed</th><th>Why void</th></tr></thead>
<tbody>${tried.map(
    condition => html`<tr><th scope="row">${condition.title}</th><td>${condition.trials + condition.voided}</td><td>${condition.trials - condition.degraded}</td><td>${condition.degraded}</td><td>${condition.voided}</td>
${reasonsCell(condition, 'degraded')}${reasonsCell(condition, 'invalid')}</tr>`,
  )}</tbody></table></div>
<div class="scroll"><table>
<thead><tr><th>Median</th>${known.map(id => ['valid trials', 'all measured tries'].map(which => html`<th>${quantityOf(quantities, id).title} <small>${which}</small></th>`))}</tr></thead>
<tbody>${tried.map(
    ({ title, trials, metrics, everyTry }) =>
      html`<tr><th scope="row">${title} <small>n = ${trials} and ${everyTry.tries}</small></th>${known.map(id => {
        const { unit } = quantityOf(quantities, id);
        return [valueCell(metrics[id]!, unit, { trials }), valueCell(everyTry.metrics[id]!, unit, { trials })];
      })}</tr>`,
  )}</tbody></table></div>
<figcaption>A void try is repeated while the study has tries left; a disturbed one counts. The number after a reason is that of the tries that have it; a try can have several. A condition can itself cause what makes a try void:
where the two medians of a metric differ, or void tries are more frequent in one condition, the valid trials may not be representative. ${hasValid ? 'Brackets: as above; where n is another one, it stands below with the coverage that it has.' : 'Below brackets stand n and the coverage that they have.'}</figcaption></figure>`;
}
