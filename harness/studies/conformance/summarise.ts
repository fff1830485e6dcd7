/** Computes the summary of a conformance study from the record. */
import { judgeResults } from '../../analysis/gate/gate.ts';
import type { MetricPlugin } from '../../analysis/metrics/metric.ts';
import { compute } from '../../analysis/summary/compute.ts';
import { summarise } from '../../analysis/summary/summarise.ts';
import type { Summary, TrialSummary } from '../../analysis/summary/summary.ts';
import { summariseValues } from '../../analysis/summary/values.ts';
import type { MeasuredPlan, RunRecords } from '../../record/run-folder.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { Course } from './analysis/course.ts';
import { worst } from './analysis/measures.ts';
import { caseVerdict, keptOf, verdictOf } from './analysis/verdict.ts';
import { measureOf, type Values } from './expectation.ts';
import { type Cell, type ConformancePlan, caseOf, type PlannedCase } from './plan.ts';
import { readCourse } from './read-course.ts';
import { conformanceGated, quantitiesOf } from './results.ts';
import type { CellSummary, ConformanceSummary } from './summary.ts';
import { virtualOutcome, virtualValues } from './virtual-cell.ts';
import type { VirtualMeans } from './virtual-course.ts';

/** Course of the first valid trial of each condition, for charts. `trial`: name of the trial. */
export type Shown = ReadonlyMap<string, { trial: string; course: Course }>;

/** Returns the worst value of a metric over the media flows; null if no flow has one. */
async function worstOf(
  metric: string,
  better: 'higher' | 'lower',
  record: TrialRecord,
  media: readonly string[],
  metrics: readonly MetricPlugin[],
): Promise<number | null> {
  const plugin = metrics.find(({ quantities }) => quantities.some(({ id }) => id === metric));
  const wanted = plugin?.quantities.filter(({ id }) => id === metric);
  const valueFor = async (name: string) =>
    plugin === undefined ? null : ((await compute(plugin, record.as(name), wanted))[metric] ?? null);
  const all = await Promise.all(media.map(valueFor));
  return worst(all, better === 'lower' ? Math.max : Math.min);
}

async function valuesOf(
  { expectations, media }: PlannedCase,
  record: TrialRecord,
  course: Course,
  metrics: readonly MetricPlugin[],
): Promise<Record<string, number | null>> {
  const values: Record<string, number | null> = {};
  for (const { measure: id, fromMs, toMs } of expectations) {
    const measure = measureOf(id)!;
    values[id] =
      'compute' in measure
        ? measure.compute(course, { fromMs, toMs: Math.min(toMs, course.windowMs) })
        : await worstOf(measure.metric, measure.better, record, Object.keys(media), metrics);
  }
  return values;
}

/** Returns the values of each valid trial by measure, by name of the trial, and a course of each condition. */
async function readTrials(
  plan: ConformancePlan,
  folder: RunRecords<unknown>,
  trials: readonly TrialSummary[],
  metrics: readonly MetricPlugin[],
) {
  const values = new Map<string, Values>();
  const shown = new Map<string, { trial: string; course: Course }>();
  for (const { name, condition, metrics: own } of trials) {
    if (own === null) continue;
    const record = folder.record(name, plan.measure);
    const of = caseOf(plan, condition);
    const course = await readCourse(record, of);
    values.set(name, await valuesOf(of, record, course, metrics));
    if (!shown.has(condition)) shown.set(condition, { trial: name, course });
  }
  return { values, shown };
}

function cellSummary(
  cell: Cell,
  plan: ConformancePlan,
  trials: readonly TrialSummary[],
  means: VirtualMeans,
): CellSummary {
  const own = trials.filter(({ condition }) => condition === cell.condition);
  const valid = own.flatMap(({ metrics }) => (metrics === null ? [] : [metrics]));
  const asked = cell.condition === null ? [] : caseOf(plan, cell.condition).expectations;
  const measured = asked.map(expectation => ({
    expectation,
    values: valid.map(metrics => metrics[expectation.measure]).filter(value => value != null),
  }));
  const inVirtual = cell.condition === null ? null : virtualValues(cell.condition, plan, means);
  const virtualBy = typeof inVirtual === 'string' ? {} : (inVirtual ?? {});
  const expectations = measured
    .filter(({ values }) => values.length > 0)
    .map(({ expectation, values }) => {
      const estimate = summariseValues(values);
      return {
        ...expectation,
        estimate,
        kept: keptOf(values, expectation),
        verdict: verdictOf(estimate, expectation, plan.confidence),
        virtual: virtualBy[expectation.measure] ?? null,
      };
    });
  const without = measured.filter(({ values }) => values.length === 0).map(({ expectation }) => expectation.measure);
  return {
    ...cell,
    trials: valid.length,
    voided: own.length - valid.length,
    verdict: valid.length === 0 ? null : caseVerdict(expectations.map(({ verdict }) => verdict)),
    expectations,
    without: valid.length === 0 ? [] : without,
    virtual: inVirtual === null ? null : virtualOutcome(asked, inVirtual),
  };
}

/** Returns the summary with the measures among its quantities. `values`: of each valid trial, by its name. */
function withMeasures(summary: Summary, values: ReadonlyMap<string, Values>): Summary {
  const own = quantitiesOf();
  const trials = summary.trials.map(trial =>
    trial.metrics === null
      ? trial
      : { ...trial, metrics: { ...trial.metrics, ...noValues, ...values.get(trial.name) } },
  );
  const conditions = summary.conditions.map(condition => {
    const valid = trials.flatMap(({ condition: of, metrics }) => (of === condition.id && metrics ? [metrics] : []));
    const estimates = own.map(({ id }) => [id, summariseValues(valid.map(metrics => metrics[id]))] as const);
    return { ...condition, metrics: { ...condition.metrics, ...Object.fromEntries(estimates) } };
  });
  return { ...summary, quantities: [...summary.quantities, ...own], trials, conditions };
}

const noValues: Values = Object.fromEntries(quantitiesOf().map(({ id }) => [id, null]));

/** Returns the values of the run by metric and measure, and the course of one trial of each condition. */
export async function summariseMeasured(
  plan: ConformancePlan,
  folder: RunRecords<MeasuredPlan>,
  metrics: readonly MetricPlugin[],
): Promise<{ whole: Summary; shown: Shown }> {
  const ofMetrics = await summarise(folder, metrics);
  const { values, shown } = await readTrials(plan, folder, ofMetrics.trials, metrics);
  return { whole: withMeasures(ofMetrics, values), shown };
}

/** Returns the summary of the run with its verdicts, and the course of one trial of each condition. */
export async function summariseConformance(
  plan: ConformancePlan,
  folder: RunRecords<MeasuredPlan>,
  { metrics, ...means }: VirtualMeans & { metrics: readonly MetricPlugin[] },
): Promise<{ summary: ConformanceSummary; shown: Shown }> {
  const { whole, shown } = await summariseMeasured(plan, folder, metrics);
  const summary: ConformanceSummary = {
    ...whole,
    confidence: plan.confidence,
    senders: plan.senders,
    cases: plan.cases.map(({ expectations: _, media: __, ...one }) => one),
    cells: plan.cells.map(cell => cellSummary(cell, plan, whole.trials, means)),
    ...judgeResults(conformanceGated(plan, whole.quantities), whole),
  };
  return { summary, shown };
}
