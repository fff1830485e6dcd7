/** Tests trials of several machines: pairs, spread between machines, and conditions on different machines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quantity } from '../../../../../harness/analysis/metrics/metric.ts';
import { compare } from '../../../../../harness/analysis/summary/comparison.ts';
import { machinesOf } from '../../../../../harness/analysis/summary/machines.ts';
import type { ConditionSummary, TrialSummary } from '../../../../../harness/analysis/summary/summary.ts';

const quantities: Quantity[] = [{ id: 'frame-rate', title: 'Frame rate', unit: '1/s', better: 'higher' }];
const conditions = ['base', 'own'].map(id => ({ id, title: id, baseline: 'base' }) as ConditionSummary);

type Row = [machine: string | null, frameRate: number | null];

/** Returns trials of a condition, by repeat from 1; a rate of null stands for a void trial. */
const trialsOf = (condition: string, rows: readonly Row[]) =>
  rows.map(
    ([machine, rate], i) =>
      ({ condition, machine, repeat: i + 1, metrics: rate === null ? null : { 'frame-rate': rate } }) as TrialSummary,
  );
const study = (base: readonly Row[], own: readonly Row[]) => [...trialsOf('base', base), ...trialsOf('own', own)];
const compared = (trials: readonly TrialSummary[]) => compare(conditions[1]!, trials, quantities);
const machines = (trials: readonly TrialSummary[]) => machinesOf(conditions, trials, ['frame-rate']);

test('the trials of one repeat that ran on two machines are no pair, and are counted', () => {
  const trials = study(
    [
      ['a', 50],
      ['a', 50],
      ['b', 20],
      ['b', null],
    ],
    [
      ['a', 48],
      ['b', 21],
      ['b', 22],
      ['a', 49],
    ],
  );
  const { apart, difference, tests } = compared(trials);
  assert.equal(apart, 1);
  assert.deepEqual([difference['frame-rate']!.low, difference['frame-rate']!.high], [-2, 2]);
  assert.equal(tests['frame-rate']!.pairs, 2);
});

test('trials of older records, which name no machine, are pairs; one with a name and one without are not', () => {
  assert.equal(compared(study([[null, 1]], [[null, 2]])).tests['frame-rate']!.pairs, 1);
  const mixed = compared(study([[null, 1]], [['a', 2]]));
  assert.deepEqual([mixed.apart, mixed.tests['frame-rate']!.pairs], [1, 0]);
});

test('of several machines each quantity has its spread within and between them, condition by condition', () => {
  const found = machines(
    study(
      [
        ['a', 1],
        ['a', 3],
        ['b', 9],
        ['b', 11],
      ],
      [
        ['a', 5],
        ['a', null],
        ['b', 5],
        ['b', null],
      ],
    ),
  )!;
  assert.deepEqual(found.machines, [
    { name: 'a', trials: 3 },
    { name: 'b', trials: 3 },
  ]);
  const [base, own] = found.conditions;
  assert.deepEqual(
    [base!.trials, own!.trials],
    [
      { a: 2, b: 2 },
      { a: 1, b: 1 },
    ],
  );
  const { within, between, medians } = base!.spread['frame-rate']!;
  assert.deepEqual([within! ** 2, between! ** 2].map(Math.round), [2, 31]);
  assert.deepEqual([medians['a']!.value, medians['b']!.value], [2, 10]);
  assert.deepEqual([own!.spread['frame-rate']!.within, own!.spread['frame-rate']!.between], [null, null]);
  assert.deepEqual(found.mixedUp, []);
});

test('a condition is mixed up with the machine where at least half of its trials ran elsewhere than those of its baseline', () => {
  const rows = (machine: string, count: number): Row[] => Array.from({ length: count }, () => [machine, 1]);
  const mixedUp = (onA: number) =>
    machines(study([...rows('a', 3), ...rows('b', 1)], [...rows('a', onA), ...rows('b', 4 - onA)]))?.mixedUp;
  assert.deepEqual([0, 1, 2, 3, 4].map(mixedUp), [['own'], ['own'], [], [], []]);
  assert.deepEqual(machines(study(rows('a', 4), rows('b', 4)))!.mixedUp, ['own']);
});

test('one machine has nothing to tell', () => {
  assert.equal(
    machines(
      study(
        [
          ['a', 1],
          ['b', null],
        ],
        [
          ['a', 2],
          ['b', null],
        ],
      ),
    ),
    null,
  );
});
