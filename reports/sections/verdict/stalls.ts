/** Whether the picture stood still, in words: how often and how long over all trials, and in the median trial. */
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { formatValue } from '../../format.ts';
import type { ReportData } from '../../report.ts';
import { said } from './said.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const times = (count: number | null, text = String(count)) => `${text} ${count === 1 ? 'stall' : 'stalls'}`;

export function stalls({ id, metrics }: ConditionSummary, { summary }: ReportData): string {
  const trials = summary.trials.filter(trial => trial.condition === id && typeof trial.metrics?.['stall-count'] === 'number').map(trial => trial.metrics!);
  if (trials.length === 0) return 'whether the picture stood still is not known';
  const each = (quantity: string) => trials.flatMap(trial => trial[quantity] ?? []);
  const counts = each('stall-count');
  const gaps = each('frame-gap-max');
  const longest = formatValue(gaps.length === 0 ? null : Math.max(...gaps), 'ms');
  const stalled = counts.filter(count => count > 0).length;
  const isOne = trials.length === 1;
  if (stalled === 0) return `the picture never stood still for more than 200 ms${isOne ? '' : ` in any of ${trials.length} trials`} (longest time without a new one ${longest})`;
  const total = `${times(sum(counts))} of ${formatValue(sum(each('stall-time')), 's')} in all, the longest time without a new one ${longest}`;
  if (isOne) return `the picture stood still: ${total}`;
  return `the picture stood still in ${stalled} of ${trials.length} trials: ${total} (median of a trial: ${times(metrics['stall-count']!.value, said(metrics['stall-count']!, ''))} of ${said(metrics['stall-time']!, 's')})`;
}
