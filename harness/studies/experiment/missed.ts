/** Thresholds that a run has missed: a line for each, and an error that sets the exit status. */
import { CoexistError } from '../../../core/errors.ts';
import { formatInterval, formatValue, quantityOf } from '../../../reports/format.ts';
import type { FinishedSummary } from './finish.ts';

const judgedWords = { median: '', interval: ' with its whole interval', every: ' in every trial' } as const;

/**
 * Returns a line for each missed threshold: "missed: Stalled time (> 200 ms) of Wired: 0.45 s [0.30, 0.50], n = 5, must
 * be at most 0.00 s".
 */
export function missedLines({
  thresholds,
  conditions,
  quantities,
}: Pick<FinishedSummary, 'thresholds' | 'conditions' | 'quantities'>): string[] {
  return thresholds
    .filter(({ kept }) => !kept)
    .map(({ metric, condition, measured, bound, limit, judge, note }) => {
      const { title, unit } = quantityOf(quantities, metric);
      const { title: name } = conditions.find(({ id }) => id === condition)!;
      const interval = formatInterval(measured, unit);
      const value = `${formatValue(measured.value, unit)}${interval === '' ? '' : ` ${interval}`}`;
      const wanted = `${bound === 'atMost' ? 'at most' : 'at least'} ${formatValue(limit, unit)}`;
      const judged = judgedWords[judge];
      return (
        `missed: ${title} of ${name}: ${value}, n = ${measured.n}, ` +
        `must be ${wanted}${judged}${note === null ? '' : ` (${note})`}`
      );
    });
}

/** Throws `thresholds-missed` if the run has missed any threshold. */
export function refuseMissed(summary: FinishedSummary, reportPath: string): void {
  const missed = summary.thresholds.filter(({ kept }) => !kept).length;
  if (missed === 0) return;
  throw new CoexistError(
    'thresholds-missed',
    `${missed} of ${summary.thresholds.length} thresholds ${missed === 1 ? 'was' : 'were'} missed`,
    { hint: `the report shows them: ${reportPath}` },
  );
}
