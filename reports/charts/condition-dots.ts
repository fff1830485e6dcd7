/** Dot chart of one metric, with a row for each condition of a report. */
import { shownTitle, shownValues } from '../disturbed.ts';
import { ownCoverage, quantityOf } from '../format.ts';
import type { Html } from '../html.ts';
import { type Named, nameOf, titleOf, valueOver } from '../named.ts';
import type { ReportData } from '../report.ts';
import { dotChart } from './dot-chart.ts';

/** Returns the chart of a value. Undefined if no condition has this value. */
export function conditionDots(report: ReportData, named: Named, title?: string): Html | undefined {
  const { unit } = quantityOf(report.summary.quantities, nameOf(named).metric);
  const groups = report.summary.conditions.flatMap((condition, colour) => {
    const { value, low, high, n, confidence } = valueOver(condition, named)!;
    const values = shownValues(condition, report.summary, named);
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
  if (groups.length === 0) return undefined;
  return dotChart({ title: title ?? titleOf(report.summary.quantities, named, report.plan.conditions), unit, groups });
}
