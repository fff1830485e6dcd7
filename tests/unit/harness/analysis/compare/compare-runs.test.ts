import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ComparedRun, compareRuns } from '../../../../../harness/analysis/compare/compare-runs.ts';
import { differences } from '../../../../../harness/analysis/compare/differences.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import { comparedRun } from '../../../../../harness/studies/conditions/compared.ts';
import { planOf } from '../../support/plan.ts';
import { versions } from '../../support/run-folder.ts';

const both = { alone: { flood: { id: 'none' } }, wired: {} };

/** Returns a run whose wired trials have these values. `machine`: machine of each trial. */
function run(
  name: string,
  values: number[],
  change: { [key: string]: unknown } = {},
  machine: (trial: number) => string | null = () => null,
): ComparedRun {
  const plan = planOf({ conditions: both, run: { repeats: 4 }, ...change });
  const trials = values.map((value, i) => ({
    name: `t${i}`,
    condition: 'wired',
    repeat: i + 1,
    attempt: 1,
    machine: machine(i),
    verdict: { status: 'valid' as const, findings: [] },
    flood: null,
    metrics: { m: value, n: null },
    others: {},
    together: { m: 2 * value },
    problems: [],
  }));
  const conditions = plan.conditions.map(({ id, title, baseline }) => {
    const own = trials.filter(trial => trial.condition === id);
    return {
      id,
      title,
      baseline,
      subject: 'service',
      trials: own.length,
      degraded: 0,
      voided: 0,
      reasons: [],
      everyTry: { tries: own.length, metrics: {} },
      disturbed: null,
      outliers: [],
      others: {},
      together: { m: summariseValues(own.map(trial => trial.together.m)) },
      metrics: { m: summariseValues(own.map(trial => trial.metrics.m)), n: summariseValues([]) },
    };
  });
  const quantities = ['m', 'n'].map(id => ({
    id,
    title: id,
    unit: 's',
    better: 'lower' as const,
    ...(id === 'm' ? { together: true as const } : {}),
  }));
  return {
    ...comparedRun(plan, { quantities, trials, conditions }),
    name,
    versions,
    createdMs: 0,
  };
}

test('conditions are lined up by id, with the difference of each metric that has values', () => {
  const { conditions, changes, alone } = compareRuns(run('A', [1, 2, 3, 4]), run('B', [11, 12, 13, 14]));
  assert.deepEqual(
    conditions.map(({ id, trials, rows }) => [id, trials, rows.map(row => [row.quantity.id, row.of])]),
    [
      ['alone', { a: 0, b: 0 }, []],
      [
        'wired',
        { a: 4, b: 4 },
        [
          ['m', undefined],
          ['m', 'others'],
        ],
      ],
    ],
  );
  const [row, ofOthers] = conditions[1]!.rows;
  assert.deepEqual([row!.a.value, row!.b.value, row!.shift.value, row!.shift.nA, row!.shift.nB], [2.5, 12.5, 10, 4, 4]);
  assert.deepEqual([ofOthers!.a.value, ofOthers!.b.value, ofOthers!.shift.value], [5, 25, 20]);
  assert.equal(row!.correctedP, row!.shift.p); // one comparison needs no correction
  assert.deepEqual([changes, alone], [[], { a: [], b: [] }]);
});

test('rows that cannot have a small p do not weaken the others, and the headline is a family of its own', () => {
  const wide = (name: string, from: number) => {
    const made = run(name, [1, 2, 3, 4, 5, 6]);
    const ids = ['frame-rate', 'other', ...Array.from({ length: 40 }, (_, i) => `same-${i}`)];
    const metrics = (i: number) => Object.fromEntries(ids.map(id => [id, id.startsWith('same') ? 7 : from + i]));
    made.results.quantities = ids.map(id => ({ id, title: id, unit: 's', better: 'lower' as const }));
    for (const [i, trial] of made.results.trials.entries()) trial.metrics = metrics(i);
    for (const condition of made.results.conditions)
      condition.metrics = Object.fromEntries(
        ids.map(id => [
          id,
          summariseValues(
            made.results.trials.filter(trial => trial.condition === condition.id).map(trial => trial.metrics![id]),
          ),
        ]),
      );
    return made;
  };
  const { conditions, tested } = compareRuns(wide('A', 1), wide('B', 100));
  const rows = conditions[1]!.rows;
  assert.deepEqual(tested, { headline: 1, others: 1, varied: 1 });
  assert.ok(rows.slice(0, 2).every(({ correctedP, shift }) => correctedP === shift.p && shift.p! < 0.003));
});

test('what differs in versions, run and conditions is said', () => {
  const other = run('B', [1, 2], {
    run: { repeats: 2, window: '20s' },
    measure: { stall: '150ms' },
    link: { rate: '20mbit', queue: { limit: '1000packets' } },
  });
  const { changes, conditions } = compareRuns(run('A', [1, 2]), {
    ...other,
    versions: { ...versions, kernel: '6.19', commit: null },
  });
  assert.deepEqual(changes, [
    { path: 'commit', a: 'abc', b: 'none' },
    { path: 'kernel', a: '6.18', b: '6.19' },
    { path: 'run.windowMs', a: '40000', b: '20000' },
    { path: 'run.repeats', a: '4', b: '2' },
    { path: 'measure.stallMs', a: '100', b: '150' },
  ]);
  assert.deepEqual(
    conditions.map(condition => condition.changes),
    Array(2).fill([{ path: 'link.rateBps', a: '40000000', b: '20000000' }]),
  );
});

test('conditions that one of the two has alone are named, and not compared', () => {
  const { conditions, alone } = compareRuns(
    run('A', [1, 2]),
    run('B', [1, 2], { conditions: { wired: {}, lossy: { title: 'Lossy', link: { loss: '2%' } } } }),
  );
  assert.deepEqual([conditions.map(({ id }) => id), alone], [['wired'], { a: ['alone'], b: ['Lossy'] }]);
});

test('what cannot be compared is one clear line', () => {
  const named = (study: string) => ({ ...run('B', [1]), study });
  assert.throws(() => compareRuns(run('A', [1]), named('other')), {
    code: 'usage',
    message: 'A is a run of "study", B one of "other"',
  });
  assert.throws(() => compareRuns(run('A', [1]), run('B', [], { conditions: { lossy: {} } })), {
    code: 'usage',
    message: 'A and B have no condition in common',
  });
  assert.throws(() => compareRuns(run('A', [1]), run('B', [])), {
    code: 'usage',
    message: /no condition in common of which both have a trial that counts/,
    hint: 'conditions of A: alone (0 trials), wired (1 trial); of B: alone (0 trials), wired (0 trials)',
  });
});

test('differences of descriptions go by path', () => {
  assert.deepEqual(differences({ a: { b: 1, c: [1] }, d: 'x' }, { a: { b: 2, c: [1] }, e: null }, 'plan'), [
    { path: 'plan.a.b', a: '1', b: '2' },
    { path: 'plan.d', a: 'x', b: 'not there' },
    { path: 'plan.e', a: 'not there', b: 'none' },
  ]);
});

test('machines are named where they are not the same, and a condition that mostly ran elsewhere is told', () => {
  const on = (name: string, machine: (trial: number) => string | null) => run(name, [1, 2, 3, 4], {}, machine);
  const compared = (a: (trial: number) => string | null, b: (trial: number) => string | null) => {
    const { changes, elsewhere } = compareRuns(on('A', a), on('B', b));
    return [changes, elsewhere];
  };
  const mostly = (most: string, other: string) => (trial: number) => (trial < 3 ? most : other);
  assert.deepEqual(
    compared(
      () => 'a',
      () => 'a',
    ),
    [[], []],
  );
  assert.deepEqual(compared(mostly('a', 'b'), mostly('b', 'a')), [[], ['wired']]);
  assert.deepEqual(compared(mostly('a', 'b'), mostly('a', 'c')), [[{ path: 'machines', a: 'a, b', b: 'a, c' }], []]);
  assert.deepEqual(
    compared(
      () => 'a',
      () => null,
    ),
    [[], []],
  );
});
