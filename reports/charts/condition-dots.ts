/** Dot chart of one metric, with a row for each condition of a report. */
import type { SummaryValue } from '../../harness/analysis/summary/summary.ts';
import { shownMetrics, shownTitle } from '../disturbed.ts';
import { ownCoverage, quantityOf } from '../format.ts';
import type { Html } from '../html.ts';
import type { ReportData } from '../report.ts';
import { dotChart } from './dot-chart.ts';

/** Returns the chart of metric `id`. Undefined if no condition has a value of this metric. */
export function conditionDots(report: ReportData, id: string, title?: string): Html | undefined {
  const quantity = quantityOf(report.summary.quantities, id);
  const groups = report.summary.conditions.flatMap((condition, colour) => {
    const { value, low, high, n, confidence }: SummaryValue = condition.metrics[id]!;
    const values = shownMetrics(condition, report.summary).flatMap(metrics => metrics[id] ?? []);
    return values.length === 0
      ? []
      : [
          {
            label: shownTitle(condition),
            colour,
            ...(condition.disturbed === null ? {} : { isDisturbed: true }),
            values,
            median: value,
            low,
            high,
            ...(n === condition.trials || confidence === null ? {} : { note: ownCoverage({ n, confidence }) }),
          },
        ];
  });
  return groups.length === 0 ? undefined : dotChart({ title: title ?? quantity.title, unit: quantity.unit, groups });
}
