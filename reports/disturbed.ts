/**
 * Values and marks of a condition without a valid trial: a report shows its least disturbed try
 * (harness/analysis/summary/least-disturbed.ts). All sections use this file, so that they mark such a try alike: by
 * "(disturbed)" after the title, by the colour of void tries, by dashed lines and crosses, and by a sentence in the
 * caption.
 */
import { counted } from '../core/text/counted.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { ConditionSummary, Summary } from '../harness/analysis/summary/summary.ts';
import { formatValue, listed, mostNamed, quantityOf } from './format.ts';
import { type Html, html } from './html.ts';
import { valueCell } from './value-cell.ts';

/** Title of a condition, with a mark if its disturbed try is shown. */
export const shownTitle = ({ title, disturbed }: Pick<ConditionSummary, 'title' | 'disturbed'>) =>
  disturbed === null ? title : `${title} (disturbed)`;

/** Title and mark of a condition, by its id. */
export function shownAs({ conditions }: Summary, id: string): { label: string; isDisturbed: boolean } {
  const own = conditions.find(condition => condition.id === id)!;
  return { label: shownTitle(own), isDisturbed: own.disturbed !== null };
}

/** Records of the trials of a condition that count, or of the try that is shown instead. */
export function shownRecords(
  { records, disturbed }: { records: ReadonlyMap<string, TrialView[]>; disturbed: ReadonlyMap<string, TrialView> },
  id: string,
): TrialView[] {
  const shown = disturbed.get(id);
  return shown === undefined ? (records.get(id) ?? []) : [shown];
}

/** Metrics of the trials of a condition that count, or of the try that is shown instead. */
export function shownMetrics(
  { id, disturbed }: Pick<ConditionSummary, 'id' | 'disturbed'>,
  { trials }: Pick<Summary, 'trials'>,
): Record<string, number | null>[] {
  if (disturbed !== null) return [disturbed.metrics];
  return trials.flatMap(trial => (trial.condition === id && trial.metrics !== null ? [trial.metrics] : []));
}

/** Value of a metric in a condition: the median over its trials, or the value of the try that is shown instead. */
export const shownValue = ({ metrics, disturbed }: Pick<ConditionSummary, 'metrics' | 'disturbed'>, id: string) =>
  disturbed === null ? metrics[id]!.value : (disturbed.metrics[id] ?? null);

/** Table cell with a value of a disturbed try. */
export function disturbedCell(text: string, columns = 1): Html {
  const inner = html`<span class="value">${text}</span>`;
  return columns === 1
    ? html`<td class="disturbed">${inner}</td>`
    : html`<td class="disturbed" colspan="${columns}">${inner}</td>`;
}

/** Table cell of a condition and metric: median, interval and n, or the value of the try that is shown instead. */
export function conditionCell(
  own: ConditionSummary,
  id: string,
  { quantities }: Pick<Summary, 'quantities'>,
  columns = 1,
): Html {
  const { unit } = quantityOf(quantities, id);
  if (own.disturbed !== null) return disturbedCell(formatValue(shownValue(own, id), unit), columns);
  return valueCell(own.metrics[id]!, unit, { trials: own.trials, columns });
}

/** Note for captions. Null if no condition shows a disturbed try. */
export function disturbedWords({ conditions }: Pick<Summary, 'conditions'>): string | null {
  const all = conditions.filter(({ disturbed }) => disturbed !== null);
  if (all.length === 0) return null;
  const of = all.length > mostNamed ? counted(all.length, 'condition') : listed(all.map(({ title }) => title));
  const tries = all.length === 1 ? 'the least disturbed try is shown' : 'the least disturbed try of each is shown';
  return `no valid trial of ${of}: ${tries}, marked "disturbed" (dashed, crosses); it is void and not for publication`;
}
