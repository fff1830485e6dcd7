/** Error that sets the exit status of a run which missed a threshold. */
import { CoexistError } from '../../core/errors.ts';
import type { Written } from './study.ts';

/** Throws `thresholds-missed` if the run has missed any threshold. */
export function refuseMissed({ summary: { thresholds }, reportPath }: Pick<Written, 'summary' | 'reportPath'>): void {
  const missed = thresholds.filter(({ kept }) => !kept).length;
  if (missed === 0) return;
  throw new CoexistError(
    'thresholds-missed',
    `${missed} of ${thresholds.length} thresholds ${missed === 1 ? 'was' : 'were'} missed`,
    { hint: `the report shows them: ${reportPath}` },
  );
}
