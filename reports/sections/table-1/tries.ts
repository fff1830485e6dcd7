/**
 * Table of the tries of each condition: numbers of valid and void tries, reasons, and medians with and without void
 * tries.
 */
import { verdictWords } from '../../../core/vocabulary/verdict-words.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { headlineOf, isCall } from '../../subject-rate.ts';
import { valueCell } from '../../value-cell.ts';

function reasonsCell({ reasons }: ConditionSummary, status: 'degraded' | 'invalid'): Html {
  const own = reasons.filter(reason => reason.status === status);
  const lines = own.map(({ text, tries }) => html`<small>${text} (${tries})</small>`);
  return html`<td>${lines.length === 0 ? '\u2013' : lines}</td>`;
}

const bracketsAsAbove =
  'Brackets: as above. If a value has a different n, this n and its coverage are shown below the brackets.';
const bracketsBelow = 'n and the coverage of the brackets are shown below them.';

/** Returns the table. Null if no trial was tried. */
export function triesTable({ plan, summary: { conditions, quantities } }: ReportData): Html | null {
  const tried = conditions.filter(({ trials, voided }) => trials + voided > 0);
  if (tried.length === 0) return null;
  const hasValid = tried.some(({ trials }) => trials > 0);
  const hasValue = (id: string) =>
    tried.some(({ metrics, everyTry }) => metrics[id]!.n > 0 || (everyTry.metrics[id]?.n ?? 0) > 0);
  const isKnown = (id: string) => quantities.some(quantity => quantity.id === id);
  const hasCall = plan.conditions.some(isCall);
  const known = headlineOf({ conditions }).filter(id => isKnown(id) && (hasCall || hasValue(id)));
  const counts = tried.map(condition => {
    const { title, trials, degraded, voided } = condition;
    return html`<tr><th scope="row">${title}</th>
<td>${trials + voided}</td>
<td>${trials - degraded}</td>
<td>${degraded}</td>
<td>${voided}</td>
${reasonsCell(condition, 'degraded')}
${reasonsCell(condition, 'invalid')}</tr>`;
  });
  const heads = known.map(id => {
    const { title } = quantityOf(quantities, id);
    return ['valid trials', 'all measured tries'].map(which => html`<th>${title} <small>${which}</small></th>`);
  });
  const medians = tried.map(({ title, trials, metrics, everyTry }) => {
    const cells = known.map(id => {
      const { unit } = quantityOf(quantities, id);
      return [valueCell(metrics[id]!, unit, { trials }), valueCell(everyTry.metrics[id]!, unit, { trials })];
    });
    const n = `n = ${trials} and ${everyTry.tries}`;
    return html`<tr><th scope="row">${title} <small>${n}</small></th>${cells}</tr>`;
  });
  return html`<figure id="tries"><div class="scroll"><table>
<thead><tr><th>Tries</th>
<th>all</th>
<th>${verdictWords.valid}</th>
<th>${verdictWords.degraded}</th>
<th>${verdictWords.invalid}</th>
<th>Why disturbed</th>
<th>Why void</th></tr></thead>
<tbody>${counts}</tbody></table></div>
<div class="scroll"><table>
<thead><tr><th>Median</th>${heads}</tr></thead>
<tbody>${medians}</tbody></table></div>
<figcaption>A void try is repeated while the study has tries left; a disturbed one counts. The number after a reason is
that of the tries that have it; a try can have several. A condition can itself cause what makes a try void:
where the two medians of a metric differ, or void tries are more frequent in one condition, the valid trials may not be
representative. ${hasValid ? bracketsAsAbove : bracketsBelow}</figcaption></figure>`;
}
