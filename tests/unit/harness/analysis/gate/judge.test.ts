import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeThresholds } from '../../../../../harness/analysis/gate/judge.ts';
import type { Threshold } from '../../../../../harness/analysis/gate/threshold.ts';
import type { TrialSummary } from '../../../../../harness/analysis/summary/summary.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';

const trial = (name: string, condition: string, metrics: Record<string, number | null> | null): TrialSummary => ({
  name,
  condition,
  repeat: 1,
  attempt: 1,
  machine: null,
  verdict: { status: metrics === null ? 'invalid' : 'valid', findings: [] },
  flood: null,
  metrics,
  others: metrics === null ? null : { bulk: { m: 1 } },
  together: metrics === null ? null : { m: 2 },
  problems: [],
});

const judged = (values: (number | null)[], change: Partial<Threshold>) => {
  const threshold: Threshold = {
    metric: 'm',
    conditions: ['a'],
    bound: 'atMost',
    limit: 3,
    judge: 'median',
    ...change,
  };
  const condition = (id: string) => ({
    id,
    title: id,
    baseline: 'a',
    subject: 'call',
    trials: values.length,
    degraded: 0,
    voided: 0,
    reasons: [],
    everyTry: { tries: 0, metrics: {} },
    others: { bulk: { m: summariseValues([1]) } },
    together: { m: summariseValues([2]) },
    disturbed: null,
    outliers: [],
    metrics: { m: summariseValues(values.filter(value => value !== null)) },
  });
  const [outcome, ...others] = judgeThresholds([threshold], {
    conditions: [condition('a'), condition('b')],
    trials: [
      ...values.map((m, i) => trial(`t${i + 1}`, 'a', { m })),
      trial('void', 'a', null),
      trial('b1', 'b', { m: 9 }),
    ],
  });
  assert.deepEqual(others, []); // only the conditions that the threshold names are judged
  return { kept: outcome!.kept, note: outcome!.note };
};

test('the median is judged; the bound itself keeps', () => {
  assert.deepEqual(judged([1, 3, 99], {}), { kept: true, note: null });
  assert.deepEqual(judged([1, 3.1, 99], {}), { kept: false, note: null });
  assert.equal(judged([1, 3, 99], { bound: 'atLeast' }).kept, true);
  assert.equal(judged([1, 2.9, 99], { bound: 'atLeast' }).kept, false);
  assert.equal(judged([3], {}).kept, true); // one trial has a median
});

test('the value of another application, and of the others together, is judged where the threshold names it', () => {
  for (const judge of ['median', 'every'] as const) {
    assert.equal(judged([9], { of: 'bulk', limit: 1, judge }).kept, true, judge);
    assert.equal(judged([9], { of: 'others', limit: 1, judge }).kept, false, judge);
    assert.equal(judged([9], { of: 'others', limit: 2, judge }).kept, true, judge);
    assert.equal(judged([9], { of: 'call', limit: 9, judge }).kept, true, judge);
  }
  assert.equal(judged([9], { of: 'nobody' }).note, 'no trial that counts has a value');
});

test('where the interval is judged, its worse end has to keep', () => {
  assert.equal(judged([1, 1, 1, 2, 2, 3], { judge: 'interval' }).kept, true);
  assert.equal(judged([1, 1, 1, 2, 2, 3.1], { judge: 'interval' }).kept, false);
  assert.equal(judged([3, 4, 4, 4, 4, 9], { bound: 'atLeast', judge: 'interval' }).kept, true);
  assert.equal(judged([2.9, 4, 4, 4, 4, 9], { bound: 'atLeast', judge: 'interval' }).kept, false);
});

test('with fewer than six trials there is no such interval, and that is a miss', () => {
  assert.deepEqual(judged([1, 1, 1, 1, 1], { judge: 'interval' }), {
    kept: false,
    note: 'too few trials for a 95 % interval, which takes six',
  });
});

test('without a value nothing was shown', () => {
  assert.deepEqual(judged([], {}), { kept: false, note: 'no trial that counts has a value' });
});

test('where every trial is judged, one that misses is one too many; void ones are not asked', () => {
  assert.deepEqual(judged([0, 3, 3], { judge: 'every' }), { kept: true, note: null });
  assert.deepEqual(judged([0, 0, 3.1], { judge: 'every' }), { kept: false, note: 'not in 1 of 3 trials: t3' });
  assert.deepEqual(judged([3, 2, 1], { judge: 'every', bound: 'atLeast' }), {
    kept: false,
    note: 'not in 2 of 3 trials: t2, t3',
  });
  assert.deepEqual(judged([0, null], { judge: 'every' }), { kept: false, note: 'not in 1 of 2 trials: t2' });
  assert.deepEqual(judged([], { judge: 'every' }), { kept: false, note: 'no trial that counts has a value' });
});
