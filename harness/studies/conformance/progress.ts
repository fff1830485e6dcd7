/** Progress lines of a conformance study. */
import { counted } from '../../../core/text/counted.ts';
import { formatDuration } from '../../../core/text/units.ts';
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import { windowMsOf } from '../../definition/plan.ts';
import type { Trial } from '../../definition/trial.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { Progress } from '../../trial/study.ts';
import { formatEstimate } from '../estimate-words.ts';
import { overheadMs, preflightMs } from '../planner/durations.ts';
import type { Planned } from '../planner/planner.ts';
import { TrialLines } from '../trial-lines.ts';
import type { ConformancePlan } from './plan.ts';

/** Returns the length of a study whose trials `left` are to run, ms. Trials that run at the same time share it. */
function lengthMs({ conditions, run }: ConformancePlan, left: readonly Trial[]): number {
  const used = conditions.filter(({ id }) => left.some(({ condition }) => condition === id));
  const links = new Map(used.map(({ link }) => [JSON.stringify(link), link]));
  const trials = left.reduce((sum, { condition }) => {
    const windowMs = windowMsOf(used.find(({ id }) => id === condition)!, { run });
    return sum + windowMs + run.startUpMs + overheadMs;
  }, 0);
  const proofs = run.preflight ? [...links.values()].reduce((sum, link) => sum + preflightMs(link), 0) : 0;
  return trials / run.parallel + proofs;
}

/** Returns the announcement of a study: "6 trials, about 12 min; up to 5 further tries if trials are void". */
export function lengthWords(plan: ConformancePlan, left: readonly Trial[]): string {
  const all = plan.trials.length;
  const count = left.length === all ? counted(all, 'trial') : `${left.length} of ${counted(all, 'trial')} to run`;
  const about = `${count}, about ${formatEstimate(lengthMs(plan, left))}`;
  const further = furtherTries(plan.run.retries, left.length);
  return further === 0 || left.length === 0 ? about : `${about}; up to ${further} further tries if trials are void`;
}

export class ConformancePrinter extends TrialLines implements Progress {
  onTrialStart(planned: Planned, attempt: number, left: number): void {
    this.begin(planned, attempt, `${formatDuration(planned.times.windowMs)} of window, ${counted(left, 'trial')} left`);
  }

  onTrialEnd({ trial, verdict }: TrialFile, willRetry: boolean): void {
    this.lines.sayResult(trial.id, verdict, { willRetry });
  }
}
