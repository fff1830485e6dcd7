/**
 * Values and marks of a condition without a valid trial. A report shows the least disturbed try of such a condition
 * (harness/analysis/summary/least-disturbed.ts). All sections use this file, so that they mark such a try in the same
 * way: "(disturbed)" after the title, the colour of void tries, dashed lines and crosses, and a sentence in the
 * caption.
 */
import { counted } from '../core/text/counted.ts';
import { listed } from '../core/text/listed.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { ConditionSummary, Summary } from '../harness/analysis/summary/summary.ts';
import { formatValue, mostNamed, quantityOf } from './format.ts';
import { type Html, html } from './html.ts';
import { type Named, nameOf, valueIn, valueOver } from './named.ts';
import { valueCell } from './value-cell.ts';

/** Returns the title of a condition. It ends in "(disturbed)" if a disturbed try is shown. */
export const shownTitle = ({ title, disturbed }: Pick<ConditionSummary, 'title' | 'disturbed'>) =>
  disturbed === null ? title : `${title} (disturbed)`;

/** Returns the title of the condition with this id. `isDisturbed`: true if a disturbed try is shown. */
export function shownAs({ conditions }: Summary, id: string): { label: string; isDisturbed: boolean } {
  const own = conditions.find(condition => condition.id === id)!;
  return { label: shownTitle(own), isDisturbed: own.disturbed !== null };
}

/** Returns the records of a condition's valid trials. If a disturbed try is shown, returns its record instead. */
export function shownRecords(
  { records, disturbed }: { records: ReadonlyMap<string, TrialView[]>; disturbed: ReadonlyMap<string, TrialView> },
  id: string,
): TrialView[] {
  const shown = disturbed.get(id);
  return shown === undefined ? (records.get(id) ?? []) : [shown];
}

/** Returns the metrics of each valid trial of a condition. If a disturbed try is shown, returns its metrics instead. */
export function shownMetrics(
  { id, disturbed }: Pick<ConditionSummary, 'id' | 'disturbed'>,
  { trials }: Pick<Summary, 'trials'>,
): Record<string, number | null>[] {
  if (disturbed !== null) return [disturbed.metrics];
  return trials.flatMap(trial => (trial.condition === id && trial.metrics !== null ? [trial.metrics] : []));
}

/** Returns the values in the valid trials of a condition. If a disturbed try is shown, returns its value instead. */
export function shownValues(condition: ConditionSummary, { trials }: Pick<Summary, 'trials'>, named: Named): number[] {
  const { id, disturbed } = condition;
  return (disturbed === null ? trials.filter(trial => trial.condition === id) : [disturbed]).flatMap(
    trial => valueIn(trial, named, condition) ?? [],
  );
}

/**
 * Returns the value of a metric in a condition: the median over its valid trials. If a disturbed try is shown, returns
 * the value of this try instead.
 */
export const shownValue = (condition: ConditionSummary, named: Named): number | null =>
  condition.disturbed === null
    ? (valueOver(condition, named)?.value ?? null)
    : valueIn(condition.disturbed, named, condition);

/** Returns a table cell with a value of a disturbed try. */
export function disturbedCell(text: string, columns = 1): Html {
  const inner = html`<span class="value">${text}</span>`;
  return columns === 1
    ? html`<td class="disturbed">${inner}</td>`
    : html`<td class="disturbed" colspan="${columns}">${inner}</td>`;
}

/**
 * Returns the table cell of a metric in a condition, with median, interval and n. If a disturbed try is shown, the cell
 * has the value of this try instead.
 */
export function conditionCell(
  own: ConditionSummary,
  named: Named,
  { quantities }: Pick<Summary, 'quantities'>,
  columns = 1,
): Html {
  const { unit } = quantityOf(quantities, nameOf(named).metric);
  if (own.disturbed !== null) return disturbedCell(formatValue(shownValue(own, named), unit), columns);
  const value = valueOver(own, named);
  if (value === undefined) return html`<td colspan="${columns}">\u2013</td>`;
  return valueCell(value, unit, { trials: own.trials, columns });
}

/** Returns a note for captions on the disturbed tries that are shown. Null if none is shown. */
export function disturbedWords({ conditions }: Pick<Summary, 'conditions'>): string | null {
  const all = conditions.filter(({ disturbed }) => disturbed !== null);
  if (all.length === 0) return null;
  const of = all.length > mostNamed ? counted(all.length, 'condition') : listed(all.map(({ title }) => title));
  const tries = all.length === 1 ? 'the least disturbed try is shown' : 'the least disturbed try of each is shown';
  return `no valid trial of ${of}: ${tries}, marked "disturbed" (dashed, crosses); it is void and not for publication`;
}
