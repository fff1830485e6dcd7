/** Outcome of a case in virtual time, by the measures that its expectations name. */
import { summariseValues } from '../../analysis/summary/values.ts';
import { conditionOf } from '../../definition/plan.ts';
import { caseVerdict, verdictOf } from './analysis/verdict.ts';
import { type Expectation, measureOf, type Values } from './expectation.ts';
import { type ConformancePlan, caseOf } from './plan.ts';
import type { VirtualOutcome } from './summary.ts';
import { type VirtualMeans, virtualCourse, virtualObstacle } from './virtual-course.ts';

/** Runs a cell in virtual time and returns its values by measure, or the reason why it cannot be run there. */
export function virtualValues(condition: string, plan: ConformancePlan, means: VirtualMeans): Values | string {
  const of = caseOf(plan, condition);
  const run = { ...of, condition: conditionOf(plan, condition) };
  const obstacle = virtualObstacle(run, means);
  if (obstacle !== null) return obstacle;
  const course = virtualCourse(run, means);
  return Object.fromEntries(
    of.expectations.map(({ measure: id, fromMs, toMs }) => {
      const measure = measureOf(id)!;
      return [id, 'compute' in measure ? measure.compute(course, { fromMs, toMs }) : null];
    }),
  );
}

/** Returns the outcome of a case by `virtualValues` of one run. Expectations without a value do not count. */
export function virtualOutcome(expectations: readonly Expectation[], values: Values | string): VirtualOutcome {
  if (typeof values === 'string') return { verdict: null, notRun: values };
  const verdicts = expectations.flatMap(one => {
    const value = values[one.measure] ?? null;
    return value === null ? [] : [verdictOf(summariseValues([value]), one, 0)];
  });
  return { verdict: caseVerdict(verdicts), notRun: null };
}
