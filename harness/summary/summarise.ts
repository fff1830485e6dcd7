/** Computes a summary from a run folder. Nothing is run; the records are all it needs. */
import { messageOf } from '../base/errors.ts';
import type { MetricPlugin } from '../metrics/metric.ts';
import { RunFolder } from '../record/run-folder.ts';
import { TrialRecord } from '../record/trial-record.ts';
import { median } from '../stats/quantile.ts';
import { medianInterval } from '../stats/median-interval.ts';
import type { Comparison, ConditionSummary, Summary, SummaryValue, TrialSummary } from './summary.ts';

/** Median and interval of what trials gave; nulls are left out. */
export function summariseValues(values: readonly (number | null | undefined)[]): SummaryValue {
  const given = values.filter((value): value is number => value !== null && value !== undefined && Number.isFinite(value));
  const interval = medianInterval(given);
  return {
    value: median(given) ?? null, low: interval?.low ?? null, high: interval?.high ?? null, n: given.length, confidence: interval?.confidence ?? null,
  };
}

type Computed = { values: Record<string, number | null>; problems: string[] };

/** Every metric of a trial. One that fails, on a broken series for one, gives nulls and a word about it; the others go on. */
async function computeAll(record: TrialRecord, metrics: readonly MetricPlugin[]): Promise<Computed> {
  const computed: Computed = { values: {}, problems: [] };
  for (const metric of metrics) {
    try {
      Object.assign(computed.values, await metric.compute(record));
    } catch (error) {
      for (const { id } of metric.quantities) computed.values[id] = null;
      computed.problems.push(`${metric.title}: ${messageOf(error)}`);
    }
  }
  return computed;
}

async function trialSummaries(folder: RunFolder, metrics: readonly MetricPlugin[]): Promise<TrialSummary[]> {
  const summaries: TrialSummary[] = [];
  for (const name of folder.trialNames({ voided: true })) {
    const file = folder.trialFile(name);
    const counts = file.verdict.status !== 'invalid' && file.phases !== null;
    const computed = counts ? await computeAll(new TrialRecord(file, folder.trialDirectory(name)), metrics) : undefined;
    summaries.push({
      name, condition: file.condition.id, repeat: file.trial.repeat, attempt: file.attempt, verdict: file.verdict, flood: file.flood?.label ?? null,
      metrics: computed?.values ?? null, problems: computed?.problems ?? [],
    });
  }
  return summaries;
}

function compare(condition: ConditionSummary, trials: readonly TrialSummary[], ids: readonly string[]): Comparison {
  const counted = (id: string) => trials.filter(trial => trial.condition === id && trial.metrics !== null);
  const pairs = counted(condition.id).flatMap(trial => {
    const other = counted(condition.baseline).find(candidate => candidate.repeat === trial.repeat);
    return other === undefined ? [] : [[trial.metrics!, other.metrics!] as const];
  });
  const over = (f: (value: number, base: number) => number | null) => Object.fromEntries(ids.map(id => [id, summariseValues(pairs.map(([own, base]) => {
    const a = own[id];
    const b = base[id];
    return a === null || a === undefined || b === null || b === undefined ? null : f(a, b);
  }))]));
  const factor = over((value, base) => (base === 0 ? null : value / base));
  // a factor over some of the pairs only would leave out just those that were best in the baseline
  for (const id of ids) if (pairs.some(([, base]) => base[id] === 0)) factor[id] = { value: null, low: null, high: null, n: 0, confidence: null };
  return { condition: condition.id, baseline: condition.baseline, difference: over((value, base) => value - base), factor };
}

export async function summarise(folder: RunFolder, metrics: readonly MetricPlugin[]): Promise<Summary> {
  const { plan } = folder.planFile();
  const trials = await trialSummaries(folder, metrics);
  const quantities = metrics.flatMap(metric => metric.quantities);
  const ids = quantities.map(quantity => quantity.id);
  const conditions = plan.conditions.map((condition): ConditionSummary => {
    const own = trials.filter(trial => trial.condition === condition.id);
    const counted = own.filter(trial => trial.metrics !== null);
    return {
      id: condition.id, title: condition.title, baseline: condition.baseline, trials: counted.length, voided: own.length - counted.length,
      metrics: Object.fromEntries(ids.map(id => [id, summariseValues(counted.map(trial => trial.metrics![id]))])),
    };
  });
  const comparisons = conditions.filter(condition => condition.id !== condition.baseline).map(condition => compare(condition, trials, ids));
  return { format: 1, study: plan.study, title: plan.title, quantities, trials, conditions, comparisons };
}
