/**
 * Two runs of one study side by side: what differs in what was run, and what came out of it, condition by condition.
 */
import { CoexistError } from '../../../core/errors.ts';
import { correctedPs, significance } from '../../../core/stats/false-discovery.ts';
import { isMostlyApart } from '../../../core/stats/overlap.ts';
import { type Shift, shift, smallestShown } from '../../../core/stats/shift.ts';
import { capturedRate } from '../../../core/text/frame-rate.ts';
import { families } from '../../../core/vocabulary/headline.ts';
import { gapLimits } from '../../../core/vocabulary/measure.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { PlanFile } from '../../record/run-folder.ts';
import type { Quantity } from '../metrics/metric.ts';
import type { ConditionSummary, Summary, SummaryValue } from '../summary/summary.ts';
import { type Difference, differences } from './differences.ts';

/** A run that is compared: its name, its plan, and its summary by the metrics of today. */
export type ComparedRun = PlanFile & { name: string; summary: Summary };

export type MetricRow = {
  quantity: Quantity;
  a: SummaryValue;
  b: SummaryValue;
  /** B minus A; the trials of two runs are independent. */
  shift: Shift;
  /**
   * p corrected for the rows of its family in the whole comparison that can have a small one: of the headline, or of the
   * other quantities (core/vocabulary/headline.ts).
   */
  correctedP: number | null;
  /**
   * The difference that these trials would have shown in 95 of 100 comparisons, one test among those of its family; null
   * where they show none, however large, or where all values are the same.
   */
  smallestShown: number | null;
};

export type ConditionComparison = {
  id: string;
  title: string;
  trials: { a: number; b: number };
  /** In what the condition itself is not the same in the two. */
  changes: Difference[];
  rows: MetricRow[];
};

export type RunComparison = {
  a: ComparedRun;
  b: ComparedRun;
  /** Of versions and of the plan beside its conditions. */
  changes: Difference[];
  conditions: ConditionComparison[];
  /** Rows that can have a small p, by family; `varied`: those of the headline that can, given trials enough. */
  tested: { headline: number; others: number; varied: number };
  /** Titles of conditions that one of the two has alone. */
  alone: { a: string[]; b: string[] };
  /** Titles of conditions of which at least half of the trials ran on different machines in the two runs. */
  elsewhere: string[];
};

/** What a condition is, without what only names it. */
const specOf = ({ link, applications, subject }: Condition) => ({
  link,
  applications: Object.fromEntries(applications.map(({ name, ...rest }) => [name, rest])),
  subject,
});

function values(summary: Summary, condition: string, id: string): number[] {
  return summary.trials
    .filter(trial => trial.condition === condition && trial.metrics !== null)
    .flatMap(trial => trial.metrics![id] ?? []);
}

/** Machines of the trials that count, one name for each; without those whose record does not say. */
const machinesOf = ({ summary: { trials } }: ComparedRun, condition?: string) =>
  trials.flatMap(({ condition: of, metrics, machine }) =>
    metrics === null || machine === null || (condition !== undefined && of !== condition) ? [] : [machine],
  );

/** Empty where one of the two does not say, or both ran on the same. */
function machineDifference(a: ComparedRun, b: ComparedRun): Difference[] {
  const [own, other] = [a, b].map(run => [...new Set(machinesOf(run))].sort().join(', '));
  return own === '' || other === '' ? [] : differences({ machines: own }, { machines: other });
}

/** What holds of a run: a plan of an older version names a threshold that is none's choice. */
function measureOf({ plan: { measure, conditions } }: ComparedRun) {
  const { stallMs, ownStallMs, smoothGapMs } = gapLimits(measure, capturedRate(subjectOf(conditions[0]!)));
  return { stallMs: ownStallMs, headlineStallMs: stallMs, smoothGapMs };
}

function compareCondition(
  a: ComparedRun,
  b: ComparedRun,
  own: ConditionSummary,
  other: ConditionSummary,
): ConditionComparison {
  const condition = (run: ComparedRun) => run.plan.conditions.find(({ id }) => id === own.id)!;
  const rows = b.summary.quantities.flatMap((quantity): MetricRow[] => {
    const left = own.metrics[quantity.id];
    const right = other.metrics[quantity.id];
    if (left === undefined || right === undefined || (left.n === 0 && right.n === 0)) return [];
    return [
      {
        quantity,
        a: left,
        b: right,
        shift: shift(values(a.summary, own.id, quantity.id), values(b.summary, own.id, quantity.id)),
        correctedP: null,
        smallestShown: null,
      },
    ];
  });
  return {
    id: own.id,
    title: condition(b).title,
    trials: { a: own.trials, b: other.trials },
    changes: differences(specOf(condition(a)), specOf(condition(b))),
    rows,
  };
}

/** Throws one clear line where the two have nothing to compare. */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  if (a.plan.study !== b.plan.study) {
    throw new CoexistError('usage', `${a.name} is a run of "${a.plan.study}", ${b.name} one of "${b.plan.study}"`, {
      hint: 'give two runs of one study',
    });
  }
  const both = a.summary.conditions.flatMap(own => {
    const other = b.summary.conditions.find(({ id }) => id === own.id);
    return other === undefined ? [] : [[own, other] as const];
  });
  if (!both.some(([own, other]) => own.trials > 0 && other.trials > 0)) {
    const why =
      both.length === 0
        ? 'have no condition in common'
        : 'have no condition in common of which both have a trial that counts';
    throw new CoexistError('usage', `${a.name} and ${b.name} ${why}`, {
      hint:
        `conditions of ${a.name}: ${a.plan.conditions.map(({ id }) => id).join(', ')}; ` +
        `of ${b.name}: ${b.plan.conditions.map(({ id }) => id).join(', ')}`,
    });
  }
  const conditions = both.map(([own, other]) => compareCondition(a, b, own, other));
  const rows = conditions.flatMap(condition => condition.rows);
  const samplesOf = new Map(
    conditions.flatMap(({ id, rows: own }) =>
      own.map(row => [row, [a, b].map(({ summary }) => values(summary, id, row.quantity.id))] as const),
    ),
  );
  const tested: number[] = [];
  const varied: number[] = [];
  for (const family of families(rows, row => row.quantity.id)) {
    const able = family.filter(({ shift: { leastP } }) => leastP !== null && leastP < significance);
    for (const row of family) row.correctedP = row.shift.p;
    for (const [i, p] of correctedPs(able.map(row => row.shift.p!)).entries()) able[i]!.correctedP = p;
    for (const row of able) {
      const [own, other] = samplesOf.get(row)!;
      row.smallestShown = smallestShown(own!, other!, significance / able.length) ?? null;
    }
    tested.push(able.length);
    varied.push(family.filter(row => new Set(samplesOf.get(row)!.flat()).size > 1).length);
  }
  const without = (run: ComparedRun, than: ComparedRun) =>
    run.plan.conditions
      .filter(({ id }) => !than.plan.conditions.some(other => other.id === id))
      .map(({ title }) => title);
  return {
    a,
    b,
    conditions,
    tested: { headline: tested[0]!, others: tested[1]!, varied: varied[0]! },
    alone: { a: without(a, b), b: without(b, a) },
    elsewhere: conditions
      .filter(({ id }) => isMostlyApart(machinesOf(a, id), machinesOf(b, id)))
      .map(({ title }) => title),
    changes: [
      ...machineDifference(a, b),
      ...differences(a.versions, b.versions),
      ...differences(a.plan.run, b.plan.run, 'run'),
      ...differences(measureOf(a), measureOf(b), 'measure'),
    ],
  };
}
