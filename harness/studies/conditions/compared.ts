/** Description of a run of an experiment, for the comparison with another run. */
import { primaryOf } from '../../../core/vocabulary/headline.ts';
import { gapLimits } from '../../../core/vocabulary/measure.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Compared } from '../../analysis/compare/compare-runs.ts';
import type { Results } from '../../analysis/summary/results.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { Plan } from '../../definition/plan.ts';

/** Returns the definition of a condition without the names of its applications. */
export const specOf = ({ link, applications, subject }: Condition) => ({
  link,
  applications: Object.fromEntries(applications.map(({ name, ...rest }) => [name, rest])),
  subject,
});

/**
 * Returns the `measure` settings that took effect in a run. A plan written by an older version may name a threshold
 * that the study did not choose.
 */
function measureOf({ measure, conditions }: Pick<Plan, 'measure' | 'conditions'>) {
  const { stallMs, ownStallMs, smoothGapMs } = gapLimits(measure, subjectOf(conditions[0]!).frameRate);
  return { stallMs: ownStallMs, headlineStallMs: stallMs, smoothGapMs };
}

export const comparedRun = (plan: Plan, results: Results): Compared => ({
  study: plan.study,
  title: plan.title,
  question: plan.question,
  run: plan.run,
  settings: { measure: measureOf(plan) },
  conditions: plan.conditions.map(condition => ({ ...condition, spec: specOf(condition), parties: condition })),
  results,
  headline: primaryOf(plan),
  drawn: ['frame-rate', 'stall-time', 'goodput', 'rtt-mean', 'frame-latency-p95'],
});
