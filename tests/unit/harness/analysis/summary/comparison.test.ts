import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEstimate } from '../../../../../core/vocabulary/estimate.ts';
import type { Quantity } from '../../../../../harness/analysis/metrics/metric.ts';
import { compare, correctTests } from '../../../../../harness/analysis/summary/comparison.ts';
import { outliersOf } from '../../../../../harness/analysis/summary/outliers.ts';
import type { ConditionSummary, TrialSummary } from '../../../../../harness/analysis/summary/summary.ts';

const quantity = (id: string, better: Quantity['better']): Quantity => ({ id, title: id, unit: '', better });
const quantities = [quantity('rate', 'higher'), quantity('stall', 'lower'), quantity('size', null)];
const condition = (id: string) => ({ id, baseline: 'base' }) as ConditionSummary;

type Values = { rate?: number | null; stall?: number | null; size?: number | null };

/** Returns trials of a condition, by repeat from 1; null stands for a void trial. */
const trialsOf = (id: string, rows: readonly (Values | null)[]) =>
  rows.map(
    (metrics, i) => ({ name: `${id}-${i + 1}`, condition: id, repeat: i + 1, metrics }) as unknown as TrialSummary,
  );
const comparisonOf = (base: readonly (Values | null)[], own: readonly (Values | null)[], id = 'own') =>
  compare(condition(id), [...trialsOf('base', base), ...trialsOf(id, own)], quantities);

test('harm is of each pair, by the side that is better', () => {
  const { harm } = comparisonOf(
    [
      { rate: 10, stall: 1 },
      { rate: 10, stall: 2 },
    ],
    [
      { rate: 4, stall: 4 },
      { rate: 6, stall: 4 },
    ],
  );
  assert.deepEqual(harm['rate'], { value: 0.5, low: 0.4, high: 0.6, n: 2, confidence: 0.5 });
  assert.deepEqual([harm['stall']!.low, harm['stall']!.high], [0.5, 0.75]);
  assert.equal(harm['size'], undefined);
});

test('harm that would divide by 0 in any pair is none', () => {
  const { harm } = comparisonOf(
    [
      { rate: 0, stall: 0 },
      { rate: 10, stall: 2 },
    ],
    [
      { rate: 4, stall: 0 },
      { rate: 6, stall: 2 },
    ],
  );
  assert.deepEqual(harm['rate'], noEstimate);
  assert.deepEqual([harm['stall']!.value, harm['stall']!.n], [0, 2]); // 0 compared with 0 is no harm
});

test('quantities with a better side are tested, over the pairs that both sides have', () => {
  const { tests } = comparisonOf(
    [{ rate: 1 }, { rate: 2 }, null, { rate: 4 }],
    [{ rate: 3 }, { rate: null }, { rate: 9 }, { rate: 4 }],
  );
  assert.deepEqual(tests['rate'], {
    pairs: 2,
    changed: 1,
    shift: { value: 1, low: 0, high: 2, n: 2, confidence: 0.5 },
    effect: 1,
    p: 1,
    correctedP: 1,
    leastP: 1,
    among: 0,
    smallestShown: null,
  });
  assert.deepEqual(tests['stall'], {
    pairs: 0,
    changed: 0,
    shift: noEstimate,
    effect: null,
    p: null,
    correctedP: null,
    leastP: null,
    among: 0,
    smallestShown: null,
  });
  assert.equal(tests['size'], undefined);
});

const seven = (from: number, step: number, key: keyof Values) =>
  Array.from({ length: 7 }, (_, i) => ({ [key]: from + step * i }));

test('p values are corrected for all tests of a study that can find something, and for no others', () => {
  const base = seven(1, 0, 'rate').map((row, i) => ({ ...row, stall: i }));
  // the stall values differ in three pairs
  const higher = seven(2, 1, 'rate').map((row, i) => ({ ...row, stall: i + (i < 3 ? 1 : 0) }));
  const mixed = seven(-2, 1, 'rate').map((row, i) => ({ ...row, stall: i }));
  const comparisons = [comparisonOf(base, higher, 'higher'), comparisonOf(base, mixed, 'mixed')];
  const [first, second] = [comparisons[0]!.tests['rate']!, comparisons[1]!.tests['rate']!];
  assert.deepEqual([first.p, first.effect], [2 / 2 ** 7, 1]);
  assert.ok(second.p! > 0.05);
  correctTests(comparisons, []);
  // the smaller of two p values; the p values of stalls cannot be small and do not count
  assert.equal(first.correctedP, (2 * 2) / 2 ** 7);
  assert.equal(second.correctedP, second.p);
  assert.deepEqual(
    [comparisons[0]!.tests['stall']!.leastP, comparisons[0]!.tests['stall']!.correctedP],
    [0.25, comparisons[0]!.tests['stall']!.p],
  );
});

test('the headline, or what is primary in its place, is a family of its own: other quantities do not weaken it', () => {
  const named = (name: string) => quantity(name, 'higher');
  const all = [named('frame-rate'), ...Array.from({ length: 40 }, (_, i) => named(`other-${i}`))];
  const rows = (from: number, step: number, of: string) =>
    Array.from({ length: 6 }, (_, i) =>
      Object.fromEntries(all.map(({ id }) => [id, id === of ? from + step * i : i % 2])),
    );
  const trials = [
    ...trialsOf('base', rows(1, 0, 'frame-rate') as Values[]),
    ...trialsOf(
      'own',
      rows(2, 1, 'frame-rate').map((row, i) => ({
        ...row,
        ...Object.fromEntries(all.slice(1).map(({ id }) => [id, (i % 2) + (i % 2 === 0 ? 1 : -1)])),
      })) as Values[],
    ),
  ];
  const comparison = compare(condition('own'), trials, all);
  correctTests([comparison], trials);
  const { p, correctedP, among, smallestShown } = comparison.tests['frame-rate']!;
  assert.deepEqual([correctedP, among, comparison.tests['other-0']!.among], [p, 1, 40]);
  assert.ok(
    smallestShown! > 0 && comparison.tests['other-0']!.smallestShown === null,
    'six pairs cannot show one difference among forty',
  );
  correctTests([comparison], trials, ['other-0', 'other-1']);
  const amongOf = (id: string) => comparison.tests[id]!.among;
  assert.deepEqual([amongOf('other-0'), amongOf('other-2'), amongOf('frame-rate')], [2, 39, 39]);
});

test("trials beyond Tukey's fences are named with them; fewer than five say nothing", () => {
  const trials = trialsOf(
    'own',
    [1, 2, 3, 4, 50].map(rate => ({ rate, stall: null })),
  );
  assert.deepEqual(outliersOf(trials, [{ metric: 'rate' }, { metric: 'stall' }]), [
    { quantity: 'rate', trial: 'own-5', value: 50, low: -1, high: 7 },
  ]);
  assert.deepEqual(outliersOf(trials.slice(1), [{ metric: 'rate' }]), []);
});
