/** Computes a summary from the records of a run folder, without running any program. */
import { messageOf } from '../../../core/errors.ts';
import { isHeadline } from '../../../core/vocabulary/headline.ts';
import type { Measure } from '../../../core/vocabulary/measure.ts';
import { othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../definition/conditions.ts';
import { conditionOf } from '../../definition/plan.ts';
import { sharingOf } from '../../definition/sharing.ts';
import type { MeasuredPlan, RunRecords } from '../../record/run-folder.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin, Quantity } from '../metrics/metric.ts';
import { compare, correctTests } from './comparison.ts';
import { leastDisturbed } from './least-disturbed.ts';
import { machinesOf } from './machines.ts';
import { outliersOf } from './outliers.ts';
import { reasonsOf } from './reasons.ts';
import type { ConditionSummary, DisturbedTry, Summary, SummaryValue, TrialSummary } from './summary.ts';
import { summariseValues } from './values.ts';

/** Returns true if each application of a trial has a separate value of the quantity. */
const isOfApplication = ({ of }: Quantity) => of === undefined;

type Computed = { values: Record<string, number | null>; problems: string[] };

/**
 * Computes all requested quantities of a trial. A metric that fails, for example on a damaged series, has nulls and an
 * entry in `problems`; the other metrics are not affected.
 */
async function computeAll(
  record: TrialRecord,
  metrics: readonly MetricPlugin[],
  isWanted: (of: Quantity) => boolean = () => true,
): Promise<Computed> {
  const computed: Computed = { values: {}, problems: [] };
  for (const metric of metrics) {
    const wanted = metric.quantities.filter(isWanted);
    if (wanted.length === 0) continue;
    try {
      const values = await metric.compute(record);
      for (const { id } of wanted) computed.values[id] = values[id] ?? null;
    } catch (error) {
      for (const { id } of wanted) computed.values[id] = null;
      computed.problems.push(`${metric.title}: ${messageOf(error)}`);
    }
  }
  return computed;
}

/** Computes the values of all applications except the subject. */
async function computeOthers(
  record: TrialRecord,
  metrics: readonly MetricPlugin[],
): Promise<{ values: NonNullable<TrialSummary['others']>; problems: string[] }> {
  const values: NonNullable<TrialSummary['others']> = {};
  const problems: string[] = [];
  for (const { name } of othersOf(record.file.condition)) {
    const computed = await computeAll(record.as(name), metrics, isOfApplication);
    values[name] = computed.values;
    problems.push(...computed.problems.map(problem => `${name}: ${problem}`));
  }
  return { values, problems };
}

/** Summaries of all tries, and the headline values of all complete tries, valid or void. */
type Tries = {
  summaries: TrialSummary[];
  measured: { name: string; condition: string; values: Record<string, number | null> }[];
};

async function readTries(folder: RunRecords, metrics: readonly MetricPlugin[], measure: Measure): Promise<Tries> {
  const ofHeadline = metrics.filter(({ quantities }) => quantities.some(({ id }) => isHeadline(id)));
  const tries: Tries = { summaries: [], measured: [] };
  for (const name of folder.trialNames({ voided: true })) {
    const record = folder.record(name, measure);
    const { file } = record;
    const isMeasured = file.phases !== null;
    const counts = file.verdict.status !== 'invalid' && isMeasured;
    const computed = isMeasured ? await computeAll(record, counts ? metrics : ofHeadline) : undefined;
    const others = counts ? await computeOthers(record, metrics) : undefined;
    if (computed !== undefined) tries.measured.push({ name, condition: file.condition.id, values: computed.values });
    tries.summaries.push({
      name,
      condition: file.condition.id,
      repeat: file.trial.repeat,
      attempt: file.attempt,
      machine: file.machine ?? null,
      verdict: file.verdict,
      flood: record.flood?.label ?? null,
      metrics: counts ? computed!.values : null,
      others: others?.values ?? null,
      problems: counts ? [...computed!.problems, ...others!.problems] : [],
    });
  }
  return tries;
}

/** Computes all metrics of the tries that are shown for conditions without a valid trial, by condition. */
async function disturbedTries(
  folder: RunRecords,
  metrics: readonly MetricPlugin[],
  measure: Measure,
  { summaries, measured }: Tries,
): Promise<Map<string, DisturbedTry>> {
  const found = new Map<string, DisturbedTry>();
  const names = new Set(measured.map(({ name }) => name));
  for (const [condition, tries] of Map.groupBy(summaries, one => one.condition)) {
    const least = leastDisturbed(tries.map(one => ({ ...one, isMeasured: names.has(one.name) })));
    if (least === undefined) continue;
    const record = folder.record(least.name, measure);
    const [own, others] = [await computeAll(record, metrics), await computeOthers(record, metrics)];
    found.set(condition, {
      name: least.name,
      verdict: least.verdict,
      problems: [...own.problems, ...others.problems],
      forPublication: false,
      metrics: own.values,
      others: others.values,
    });
  }
  return found;
}

function everyTryOf(
  values: readonly Record<string, number | null>[],
  ids: readonly string[],
): ConditionSummary['everyTry'] {
  return {
    tries: values.length,
    metrics: Object.fromEntries(ids.filter(isHeadline).map(id => [id, summariseValues(values.map(of => of[id]))])),
  };
}

/**
 * Returns the medians of the stream alone. They come from the baseline if it has the same service on a link without a
 * flood; undefined without such a baseline.
 */
function aloneOf(
  condition: Condition,
  plan: MeasuredPlan,
  trials: readonly TrialSummary[],
): Record<string, number | null> | undefined {
  const base = conditionOf(plan, condition.baseline);
  if (othersOf(base).length > 0 || JSON.stringify(subjectOf(base)) !== JSON.stringify(subjectOf(condition)))
    return undefined;
  const counted = trials.flatMap(({ condition: id, metrics }) => (id === base.id && metrics !== null ? [metrics] : []));
  return Object.fromEntries(
    Object.keys(counted[0] ?? {}).map(id => [id, summariseValues(counted.map(metrics => metrics[id])).value]),
  );
}

/** Adds to each trial the values that need the medians of the stream alone. */
function relate(plan: MeasuredPlan, trials: readonly TrialSummary[], metrics: readonly MetricPlugin[]): void {
  // all medians are computed before values are added to the trials
  const all = plan.conditions.map(condition => ({ condition, alone: aloneOf(condition, plan, trials) }));
  for (const { condition, alone } of all) {
    if (alone === undefined) continue;
    for (const { condition: id, metrics: own } of trials) {
      if (id === condition.id && own !== null)
        for (const metric of metrics) Object.assign(own, metric.besideAlone?.(own, alone, sharingOf(condition)));
    }
  }
}

/** Returns the quantities of an application for which at least one trial has a value. */
function known(
  quantities: readonly Quantity[],
  trials: readonly Record<string, number | null>[],
): Record<string, SummaryValue> {
  const all = quantities
    .filter(isOfApplication)
    .map(({ id }) => [id, summariseValues(trials.map(of => of[id]))] as const);
  return Object.fromEntries(all.filter(([, { n }]) => n > 0));
}

export async function summarise(folder: RunRecords, metrics: readonly MetricPlugin[]): Promise<Summary> {
  const { plan } = folder.planFile();
  const tries = await readTries(folder, metrics, plan.measure);
  const { summaries: trials, measured } = tries;
  const disturbed = await disturbedTries(folder, metrics, plan.measure, tries);
  relate(plan, trials, metrics);
  const quantities = metrics.flatMap(metric => metric.quantities);
  const ids = quantities.map(quantity => quantity.id);
  const conditions = plan.conditions.map((condition): ConditionSummary => {
    const own = trials.filter(trial => trial.condition === condition.id);
    const counted = own.filter(trial => trial.metrics !== null);
    return {
      id: condition.id,
      title: condition.title,
      baseline: condition.baseline,
      trials: counted.length,
      degraded: counted.filter(({ verdict }) => verdict.status === 'degraded').length,
      voided: own.length - counted.length,
      reasons: reasonsOf(own),
      everyTry: everyTryOf(
        measured.filter(({ condition: of }) => of === condition.id).map(({ values }) => values),
        ids,
      ),
      metrics: Object.fromEntries(ids.map(id => [id, summariseValues(counted.map(trial => trial.metrics![id]))])),
      others: othersOf(condition).map(({ name }) => ({
        name,
        metrics: known(
          quantities,
          counted.map(({ others }) => others![name] ?? {}),
        ),
      })),
      disturbed: disturbed.get(condition.id) ?? null,
      outliers: outliersOf(counted, ids),
    };
  });
  const comparisons = conditions
    .filter(condition => condition.id !== condition.baseline)
    .map(condition => compare(condition, trials, quantities));
  correctTests(comparisons, trials);
  return {
    format: 1,
    study: plan.study,
    title: plan.title,
    quantities,
    trials,
    conditions,
    comparisons,
    machines: machinesOf(conditions, trials, ids.filter(isHeadline)),
  };
}
