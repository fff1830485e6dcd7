/** A dot chart of one metric over the conditions of a report. */
import type { SummaryValue } from '../../harness/summary/summary.ts';
import { quantityOf, scaleToShown, shownUnit } from '../format.ts';
import type { Html } from '../html.ts';
import type { ReportData } from '../report.ts';
import { dotChart } from './dot-chart.ts';

/** Undefined where no condition has the value. */
export function conditionDots(report: ReportData, id: string, title?: string): Html | undefined {
  const quantity = quantityOf(report.summary.quantities, id);
  const scale = (value: number | null) => (value === null ? null : scaleToShown(value, quantity.unit));
  const groups = report.summary.conditions.flatMap((condition, colour) => {
    const value: SummaryValue = condition.metrics[id]!;
    const values = report.summary.trials
      .filter(trial => trial.condition === condition.id)
      .flatMap(trial => scale(trial.metrics?.[id] ?? null) ?? []);
    return values.length === 0
      ? []
      : [
          {
            label: condition.title,
            colour,
            values,
            median: scale(value.value),
            low: scale(value.low),
            high: scale(value.high),
          },
        ];
  });
  return groups.length === 0
    ? undefined
    : dotChart({ title: title ?? quantity.title, unit: shownUnit(quantity.unit), groups });
}
