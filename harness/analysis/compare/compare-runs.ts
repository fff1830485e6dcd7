/** Compares two runs of one study: differences of plan and versions, and the metrics of each condition. */
import { CoexistError } from '../../../core/errors.ts';
import { correctedPs, significance } from '../../../core/stats/false-discovery.ts';
import { isMostlyApart } from '../../../core/stats/overlap.ts';
import { type Shift, shift, smallestShown } from '../../../core/stats/shift.ts';
import { families } from '../../../core/vocabulary/headline.ts';
import { gapLimits } from '../../../core/vocabulary/measure.ts';
import { allOthers, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { PlanFile } from '../../record/run-folder.ts';
import type { Quantity } from '../metrics/metric.ts';
import type { ConditionSummary, Summary, SummaryValue } from '../summary/summary.ts';
import { type Difference, differences } from './differences.ts';

/** Run to compare: its name, its plan, and its summary, which is computed with the present metrics. */
export type ComparedRun = PlanFile & { name: string; summary: Summary };

export type MetricRow = {
  quantity: Quantity;
  /** Part of the trial that the values are of, if it is not the subject (core/vocabulary/subject.ts). */
  of?: typeof allOthers;
  a: SummaryValue;
  b: SummaryValue;
  /** Difference of run B minus run A, estimated from the trials of the two runs as independent samples. */
  shift: Shift;
  /**
   * p value, corrected for the tests of all rows of the same family that can give a small p. The families are the
   * headline quantities and the other quantities (core/vocabulary/headline.ts).
   */
  correctedP: number | null;
  /**
   * Smallest true difference that a test of these trials, as one of its family, would detect in 95 of 100 comparisons.
   * Null if the test would detect no difference, however large, or if all values are equal.
   */
  smallestShown: number | null;
};

export type ConditionComparison = {
  id: string;
  title: string;
  trials: { a: number; b: number };
  /** Differences between the condition's definitions in the two runs. */
  changes: Difference[];
  rows: MetricRow[];
};

export type RunComparison = {
  a: ComparedRun;
  b: ComparedRun;
  /** Differences between the two runs in their versions, and in the parts of their plans outside the conditions. */
  changes: Difference[];
  conditions: ConditionComparison[];
  /**
   * Number of rows in each family whose test can give a small p. `varied`: number of headline rows whose values differ,
   * so that their tests could give a small p with more trials.
   */
  tested: { headline: number; others: number; varied: number };
  /** Titles of conditions that only one of the runs has. */
  alone: { a: string[]; b: string[] };
  /** Titles of conditions of which at least half of the trials ran on different machines in the two runs. */
  elsewhere: string[];
};

/** Returns the definition of a condition without the names of its applications. */
const specOf = ({ link, applications, subject }: Condition) => ({
  link,
  applications: Object.fromEntries(applications.map(({ name, ...rest }) => [name, rest])),
  subject,
});

type RowName = Pick<MetricRow, 'quantity' | 'of'>;

function values(summary: Summary, condition: string, { quantity: { id }, of }: RowName): number[] {
  return summary.trials
    .filter(trial => trial.condition === condition && trial.metrics !== null)
    .flatMap(({ metrics, together }) => (of === undefined ? metrics : together)![id] ?? []);
}

/** Returns the machines of the valid trials, one name per trial. Leaves out trials whose record names no machine. */
const machinesOf = ({ summary: { trials } }: ComparedRun, condition?: string) =>
  trials.flatMap(({ condition: of, metrics, machine }) =>
    metrics === null || machine === null || (condition !== undefined && of !== condition) ? [] : [machine],
  );

/**
 * Returns the difference between the machines of two runs. Empty if one of the runs names no machine, or if both ran on
 * the same machines.
 */
function machineDifference(a: ComparedRun, b: ComparedRun): Difference[] {
  const [own, other] = [a, b].map(run => [...new Set(machinesOf(run))].sort().join(', '));
  return own === '' || other === '' ? [] : differences({ machines: own }, { machines: other });
}

/**
 * Returns the `measure` settings that took effect in a run. A plan written by an older version may name a threshold
 * that the study did not choose.
 */
function measureOf({ plan: { measure, conditions } }: ComparedRun) {
  const { stallMs, ownStallMs, smoothGapMs } = gapLimits(measure, subjectOf(conditions[0]!).frameRate);
  return { stallMs: ownStallMs, headlineStallMs: stallMs, smoothGapMs };
}

function compareCondition(
  a: ComparedRun,
  b: ComparedRun,
  own: ConditionSummary,
  other: ConditionSummary,
): ConditionComparison {
  const condition = (run: ComparedRun) => run.plan.conditions.find(({ id }) => id === own.id)!;
  const { quantities } = b.summary;
  const names: RowName[] = [
    ...quantities.map(quantity => ({ quantity })),
    ...quantities
      .filter(({ together }) => together === true)
      .map(quantity => ({ quantity: { ...quantity, better: null }, of: allOthers }) as const),
  ];
  const rows = names.flatMap((name): MetricRow[] => {
    const { quantity, of } = name;
    const [left, right] = [own, other].map(one => (of === undefined ? one.metrics : one.together)[quantity.id]);
    if (left === undefined || right === undefined || (left.n === 0 && right.n === 0)) return [];
    return [
      {
        ...name,
        a: left,
        b: right,
        shift: shift(values(a.summary, own.id, name), values(b.summary, own.id, name)),
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

/** Throws `usage` if the runs have nothing to compare. */
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
      own.map(row => [row, [a, b].map(({ summary }) => values(summary, id, row))] as const),
    ),
  );
  const tested: number[] = [];
  const varied: number[] = [];
  for (const family of families(rows, row => (row.of === undefined ? row.quantity.id : ''))) {
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
