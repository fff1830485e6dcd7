/** Computes a summary from the records of a run folder, without running any program. */

import { messageOf } from '../../../core/errors.ts';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import { isHeadline, primaryOf } from '../../../core/vocabulary/headline.ts';
import { firstHopOf, furtherPlaces, isOfPlace } from '../../../core/vocabulary/hops.ts';
import type { Measure } from '../../../core/vocabulary/measure.ts';
import { allOthers, othersOf, subjectOf, type ValuesByPart } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../definition/conditions.ts';
import { conditionOf } from '../../definition/plan.ts';
import { sharingOf } from '../../definition/sharing.ts';
import type { MeasuredPlan, RunRecords } from '../../record/run-folder.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin, MetricValues, Quantity } from '../metrics/metric.ts';
import { compare, correctTests } from './comparison.ts';
import { compute, isOfLink } from './compute.ts';
import { leastDisturbed } from './least-disturbed.ts';
import { machinesOf } from './machines.ts';
import { outliersOf } from './outliers.ts';
import { reasonsOf } from './reasons.ts';
import { type ConditionSummary, type DisturbedTry, type Summary, summaryFormat, type TrialSummary } from './summary.ts';
import { summariseValues } from './values.ts';

/** Returns true if each application of a trial has a separate value of the quantity. */
const isOfApplication = ({ of }: Quantity) => of === undefined;

type Computed = { values: MetricValues; problems: string[] };

/**
 * Computes the requested quantities of a part of a trial. `computeOf`: computes those of one metric. A metric that fails,
 * for example on a damaged series, has nulls and an entry in `problems`; the other metrics are not affected.
 */
async function computeAll(
  metrics: readonly MetricPlugin[],
  isWanted: (of: Quantity) => boolean,
  computeOf: (metric: MetricPlugin, wanted: readonly Quantity[]) => Promise<MetricValues> | undefined,
): Promise<Computed> {
  const computed: Computed = { values: {}, problems: [] };
  for (const metric of metrics) {
    const wanted = metric.quantities.filter(isWanted);
    if (wanted.length === 0) continue;
    try {
      const values = await computeOf(metric, wanted);
      for (const { id } of wanted) computed.values[id] = values?.[id] ?? null;
    } catch (error) {
      for (const { id } of wanted) computed.values[id] = null;
      computed.problems.push(`${metric.title}: ${messageOf(error)}`);
    }
  }
  return computed;
}

/**
 * Computes the values of the subject, the link and all applications. Those of the link are of the first bottleneck, the
 * others of the first one that the subject crosses.
 */
async function computeOwn(record: TrialRecord, metrics: readonly MetricPlugin[]): Promise<Computed> {
  const first = record.atFirst();
  const isElsewhere = first !== record;
  const own = await computeAll(
    metrics,
    quantity => !isElsewhere || !isOfLink(quantity),
    (metric, wanted) => compute(metric, first, wanted),
  );
  if (!isElsewhere) return own;
  const link = await computeAll(metrics, isOfLink, (metric, wanted) => compute(metric, record, wanted));
  return { values: { ...own.values, ...link.values }, problems: [...own.problems, ...link.problems] };
}

type Parts = ValuesByPart<MetricValues> & { problems: string[] };

/** Computes the values of all parts of a trial. */
async function computeParts(record: TrialRecord, metrics: readonly MetricPlugin[]): Promise<Parts> {
  const own = await computeOwn(record, metrics);
  const applications = record.others();
  const together = await computeAll(
    metrics,
    quantity => quantity.together === true,
    metric => metric.computeTogether?.(applications, record.atFirst()),
  );
  const others: Record<string, MetricValues> = {};
  const problems = [...own.problems, ...together.problems.map(problem => `${allOthers}: ${problem}`)];
  for (const one of applications) {
    const { name } = one.application;
    const first = one.atFirst();
    const computed = await computeAll(metrics, isOfApplication, (metric, wanted) => compute(metric, first, wanted));
    others[name] = computed.values;
    problems.push(...computed.problems.map(problem => `${name}: ${problem}`));
  }
  const hops: Record<string, MetricValues> = {};
  const places = furtherPlaces(record.link);
  const quantities = metrics.flatMap(metric => metric.quantities);
  for (const { name, hop, direction } of places) {
    const at = record.atHop(hop, direction);
    // the subject's own values at the first bottleneck that it crosses are known
    const isOwnFirst = direction === 'down' && hop === firstHopOf(record.link, record.application.name);
    const isKnown = (quantity: Quantity) => isOwnFirst && !isOfLink(quantity);
    const known = quantities.filter(quantity => isOfPlace(quantity, name) && isKnown(quantity));
    const computed = await computeAll(
      metrics,
      quantity => isOfPlace(quantity, name) && !isKnown(quantity),
      (metric, wanted) => compute(metric, at, wanted),
    );
    hops[name] = { ...Object.fromEntries(known.map(({ id }) => [id, own.values[id]!])), ...computed.values };
    problems.push(...computed.problems.map(problem => `${name}: ${problem}`));
  }
  const further = places.length > 0 ? { hops } : {};
  return { metrics: own.values, others, together: together.values, ...further, problems };
}

/** Values of a trial that does not count. */
const noParts = { metrics: null, others: null, together: null, problems: [] };

/** Summaries of all tries, and the headline values of all complete tries, valid or void. */
type Tries = {
  summaries: TrialSummary[];
  measured: { name: string; condition: string; values: MetricValues }[];
};

async function readTries(folder: RunRecords, metrics: readonly MetricPlugin[], measure: Measure): Promise<Tries> {
  const ofHeadline = metrics.filter(({ quantities }) => quantities.some(({ id }) => isHeadline(id)));
  const tries: Tries = { summaries: [], measured: [] };
  for (const name of folder.trialNames({ voided: true })) {
    const record = folder.record(name, measure);
    const { file } = record;
    const isMeasured = file.phases !== null;
    const counts = file.verdict.status !== 'invalid' && isMeasured;
    const parts = counts ? await computeParts(record, metrics) : undefined;
    const values = parts?.metrics ?? (isMeasured ? (await computeOwn(record, ofHeadline)).values : undefined);
    if (values !== undefined) tries.measured.push({ name, condition: file.condition.id, values });
    tries.summaries.push({
      name,
      condition: file.condition.id,
      repeat: file.trial.repeat,
      attempt: file.attempt,
      machine: file.machine ?? null,
      verdict: file.verdict,
      flood: record.flood?.label ?? null,
      ...(parts ?? noParts),
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
    const parts = await computeParts(record, metrics);
    found.set(condition, { name: least.name, verdict: least.verdict, forPublication: false, ...parts });
  }
  return found;
}

function everyTryOf(values: readonly MetricValues[], ids: readonly string[]): ConditionSummary['everyTry'] {
  return {
    tries: values.length,
    metrics: medians(ids.filter(isHeadline), values),
  };
}

/**
 * Returns the medians of the stream alone. They come from the baseline if it has the same service on a link without
 * other applications; undefined without such a baseline.
 */
function aloneOf(condition: Condition, plan: MeasuredPlan, trials: readonly TrialSummary[]): MetricValues | undefined {
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
    for (const { condition: id, metrics: own, others, together } of trials) {
      if (id !== condition.id || own === null || others === null || together === null) continue;
      for (const metric of metrics) {
        const added = metric.besideAlone?.({ metrics: own, others, together }, alone, sharingOf(condition));
        Object.assign(own, added?.metrics);
        Object.assign(together, added?.together);
        for (const [name, values] of Object.entries(others)) Object.assign(values, added?.others[name]);
      }
    }
  }
}

/** Returns the quantities of an application for which at least one trial has a value. */
function known(quantities: readonly Quantity[], trials: readonly MetricValues[]): Record<string, Estimate> {
  const all = quantities
    .filter(isOfApplication)
    .map(({ id }) => [id, summariseValues(trials.map(of => of[id]))] as const);
  return Object.fromEntries(all.filter(([, { n }]) => n > 0));
}

/** Returns the medians over trials of all quantities in `ids`. */
const medians = (ids: readonly string[], trials: readonly MetricValues[]): Record<string, Estimate> =>
  Object.fromEntries(ids.map(id => [id, summariseValues(trials.map(of => of[id]))]));

/** Returns the medians at each bottleneck of a condition's link but the first; nothing if it has no other. */
function hopMedians(
  { link }: Condition,
  quantities: readonly Quantity[],
  trials: readonly TrialSummary[],
): Pick<ConditionSummary, 'hops'> {
  const places = furtherPlaces(link);
  if (places.length === 0) return {};
  const at = ({ name }: { name: string }) => {
    const ids = quantities.filter(quantity => isOfPlace(quantity, name)).map(({ id }) => id);
    return [
      name,
      medians(
        ids,
        trials.map(({ hops }) => hops?.[name] ?? {}),
      ),
    ] as const;
  };
  return { hops: Object.fromEntries(places.map(at)) };
}

export async function summarise(folder: RunRecords, metrics: readonly MetricPlugin[]): Promise<Summary> {
  const { plan } = folder.planFile();
  const tries = await readTries(folder, metrics, plan.measure);
  const { summaries: trials, measured } = tries;
  const disturbed = await disturbedTries(folder, metrics, plan.measure, tries);
  relate(plan, trials, metrics);
  const quantities = metrics.flatMap(metric => metric.quantities);
  const ids = quantities.map(quantity => quantity.id);
  const ofOthers = quantities.filter(({ together }) => together === true).map(({ id }) => id);
  const conditions = plan.conditions.map((condition): ConditionSummary => {
    const own = trials.filter(trial => trial.condition === condition.id);
    const counted = own.filter(trial => trial.metrics !== null);
    return {
      id: condition.id,
      title: condition.title,
      baseline: condition.baseline,
      subject: condition.subject,
      trials: counted.length,
      degraded: counted.filter(({ verdict }) => verdict.status === 'degraded').length,
      voided: own.length - counted.length,
      reasons: reasonsOf(own),
      everyTry: everyTryOf(
        measured.filter(({ condition: of }) => of === condition.id).map(({ values }) => values),
        ids,
      ),
      metrics: medians(
        ids,
        counted.map(({ metrics: of }) => of!),
      ),
      others: Object.fromEntries(
        othersOf(condition).map(({ name }) => [
          name,
          known(
            quantities,
            counted.map(({ others }) => others![name] ?? {}),
          ),
        ]),
      ),
      together: medians(
        ofOthers,
        counted.map(({ together }) => together!),
      ),
      ...hopMedians(condition, quantities, counted),
      disturbed: disturbed.get(condition.id) ?? null,
      outliers: outliersOf(counted, [
        ...ids.map(metric => ({ metric })),
        ...ofOthers.map(metric => ({ metric, of: allOthers })),
      ]),
    };
  });
  const comparisons = conditions
    .filter(condition => condition.id !== condition.baseline)
    .map(condition => compare(condition, trials, quantities));
  correctTests(comparisons, trials, primaryOf(plan));
  return {
    format: summaryFormat,
    study: plan.study,
    title: plan.title,
    quantities,
    trials,
    conditions,
    comparisons,
    machines: machinesOf(conditions, trials, ids.filter(isHeadline)),
  };
}
