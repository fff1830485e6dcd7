/** Compares two runs of one study of any kind: differences of plan and versions, and the values of each condition. */

import { CoexistError } from '../../../core/errors.ts';
import { correctedPs, significance } from '../../../core/stats/false-discovery.ts';
import { isMostlyApart } from '../../../core/stats/overlap.ts';
import { type Shift, shift, smallestShown } from '../../../core/stats/shift.ts';
import { counted } from '../../../core/text/counted.ts';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import { allOthers } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { PlanFile } from '../../record/run-folder.ts';
import type { Quantity } from '../metrics/metric.ts';
import { valueIn, valueOver } from '../summary/named-value.ts';
import type { ConditionResults, Results } from '../summary/results.ts';
import { type Difference, differences } from './differences.ts';

/** Description of a run of any kind, for a comparison. */
export type Compared = {
  study: string;
  title: string;
  question: string;
  /** Settings of the run. */
  run: object;
  /** Further settings that took effect, by name. */
  settings: object;
  /** Conditions of the plan, with the definition of each. `parties`: its applications, to name their values. */
  conditions: readonly {
    id: string;
    title: string;
    spec: object;
    parties?: Pick<Condition, 'applications' | 'subject'>;
  }[];
  /** Results, computed with the present metrics. */
  results: Results;
  /** Quantities that the text on the changes names; p values of the others are corrected separately. */
  headline: readonly string[];
  /** Quantities that get a chart with a dot for each trial. */
  drawn: readonly string[];
};

/** Run to compare, with its name. */
export type ComparedRun = Compared & Pick<PlanFile, 'versions' | 'createdMs'> & { name: string };

export type MetricRow = {
  quantity: Quantity;
  /** Part of the trial that the values are of, if it is not the subject (core/vocabulary/subject.ts). */
  of?: string;
  /** True for a headline quantity of the subject; if there is none, of any application. */
  isHeadline: boolean;
  a: Estimate;
  b: Estimate;
  /** Difference of run B minus run A, estimated from the trials of the two runs as independent samples. */
  shift: Shift;
  /**
   * p value, corrected for the tests of all rows of the same family that can give a small p. The families are the
   * headline quantities and the other quantities.
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

type RowName = Pick<MetricRow, 'quantity' | 'of'>;

/** Returns the values of a row in the trials of a run. */
function values(
  { results: { conditions, trials } }: ComparedRun,
  condition: string,
  { quantity, of }: RowName,
): number[] {
  const { subject } = conditions.find(({ id }) => id === condition)!;
  return trials
    .filter(trial => trial.condition === condition)
    .flatMap(trial => valueIn(trial, { metric: quantity.id, of }, subject) ?? []);
}

/** Returns the machines of the valid trials, one name per trial. Leaves out trials whose record names no machine. */
const machinesOf = ({ results: { trials } }: ComparedRun, condition?: string) =>
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
 * Returns the names of the values of a condition: of the subject and the link, of the others together, and, if the
 * condition has no subject, of each application.
 */
function namesOf({ quantities }: Results, { subject, others }: ConditionResults): RowName[] {
  const own = quantities.filter(quantity => subject !== null || quantity.of !== undefined);
  const together = quantities.filter(quantity => quantity.together === true);
  const apart = subject === null ? Object.keys(others) : [];
  return [
    ...own.map(quantity => ({ quantity })),
    ...together.map(quantity => ({ quantity: { ...quantity, better: null }, of: allOthers })),
    ...quantities.flatMap(quantity => (quantity.of === undefined ? apart.map(of => ({ quantity, of })) : [])),
  ];
}

function compareCondition(
  a: ComparedRun,
  b: ComparedRun,
  own: ConditionResults,
  other: ConditionResults,
): ConditionComparison {
  const condition = (run: ComparedRun) => run.conditions.find(({ id }) => id === own.id)!;
  const rows = namesOf(b.results, other).flatMap((name): MetricRow[] => {
    const { quantity, of } = name;
    const [left, right] = [own, other].map(one => valueOver(one, { metric: quantity.id, of })) as [Estimate, Estimate];
    if (left.n === 0 && right.n === 0) return [];
    return [
      {
        ...name,
        isHeadline: (of === undefined || other.subject === null) && b.headline.includes(quantity.id),
        a: left,
        b: right,
        shift: shift(values(a, own.id, name), values(b, own.id, name)),
        correctedP: null,
        smallestShown: null,
      },
    ];
  });
  return {
    id: own.id,
    title: condition(b).title,
    trials: { a: own.trials, b: other.trials },
    changes: differences(condition(a).spec, condition(b).spec),
    rows,
  };
}

/** Throws `usage` if the runs have nothing to compare. */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  if (a.study !== b.study) {
    throw new CoexistError('usage', `${a.name} is a run of "${a.study}", ${b.name} one of "${b.study}"`, {
      hint: 'give two runs of one study',
    });
  }
  const both = a.results.conditions.flatMap(own => {
    const other = b.results.conditions.find(({ id }) => id === own.id);
    return other === undefined ? [] : [[own, other] as const];
  });
  if (!both.some(([own, other]) => own.trials > 0 && other.trials > 0)) {
    const why =
      both.length === 0
        ? 'have no condition in common'
        : 'have no condition in common of which both have a trial that counts';
    const trialsOf =
      ({ results }: ComparedRun) =>
      (id: string) =>
        counted(results.conditions.find(one => one.id === id)?.trials ?? 0, 'trial');
    const listed = (run: ComparedRun) =>
      run.conditions.map(({ id }) => (both.length === 0 ? id : `${id} (${trialsOf(run)(id)})`)).join(', ');
    throw new CoexistError('usage', `${a.name} and ${b.name} ${why}`, {
      hint: `conditions of ${a.name}: ${listed(a)}; of ${b.name}: ${listed(b)}`,
    });
  }
  const conditions = both.map(([own, other]) => compareCondition(a, b, own, other));
  const rows = conditions.flatMap(condition => condition.rows);
  const samplesOf = new Map(
    conditions.flatMap(({ id, rows: own }) => own.map(row => [row, [a, b].map(run => values(run, id, row))] as const)),
  );
  const tested: number[] = [];
  const varied: number[] = [];
  for (const isHeadline of [true, false]) {
    const family = rows.filter(row => row.isHeadline === isHeadline);
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
    run.conditions.filter(({ id }) => !than.conditions.some(other => other.id === id)).map(({ title }) => title);
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
      ...differences(a.run, b.run, 'run'),
      ...differences(a.settings, b.settings),
    ],
  };
}
