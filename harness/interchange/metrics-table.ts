/** One row for every try of every trial: what it was, whether it counts, and its metrics. */
import type { Summary } from '../summary/summary.ts';
import { count, text } from './field.ts';
import { tableOf } from './table.ts';
import type { Table } from './table.ts';

export const trialFields = {
  trial: text('name of its folder; ".voidN" marks a try that does not count'),
  condition: text('short name of the condition'),
  title: text('the condition\'s title'),
  repeat: count('repeat, from 1: the trials of one repeat have the same random losses'),
  attempt: count('which try it was, from 1'),
  verdict: text('valid, degraded (counts, slightly disturbed) or invalid (has no metrics)'),
  reasons: text('what disturbed it or went wrong'),
  flood: text('what the flood really was'),
};

export function metricsTable({ trials, conditions, quantities }: Pick<Summary, 'trials' | 'conditions' | 'quantities'>): Table {
  const rows = trials.map(({ name, condition, repeat, attempt, verdict, flood, metrics, problems }) => ({
    trial: name, condition, title: conditions.find(({ id }) => id === condition)?.title ?? condition, repeat, attempt, verdict: verdict.status,
    reasons: [...verdict.findings.map(({ message }) => message), ...problems].join('; ') || null, flood,
    ...Object.fromEntries(quantities.map(({ id }) => [id, metrics?.[id] ?? null])),
  }));
  return tableOf(rows, { ...trialFields, ...Object.fromEntries(quantities.map(({ id, unit }) => [id, { unit, type: 'number' as const }])) });
}
