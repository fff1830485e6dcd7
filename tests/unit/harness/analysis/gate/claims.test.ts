import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeClaims, resolveClaims } from '../../../../../harness/analysis/gate/claims.ts';
import type { Quantity } from '../../../../../harness/analysis/metrics/metric.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import type { ComparisonDefinition } from '../../../../../harness/definition/claim.ts';
import { planOf } from '../../support/plan.ts';

const quantities: Quantity[] = [
  { id: 'loss', title: 'Loss', unit: 'ratio', better: 'lower' },
  { id: 'rate', title: 'Rate', unit: 'bit/s', better: 'higher', together: true },
  { id: 'stalled', title: 'Stalled', unit: 's', better: 'lower' },
  { id: 'count', title: 'Count', unit: '', better: 'lower' },
];
const plan = (...claims: unknown[]) => planOf({ conditions: { one: {}, other: { flood: { id: 'none' } } }, claims });
const claim = (...holds: ComparisonDefinition[]) => ({ text: 'It is so.', holds });

/** Returns six values around a middle. The interval of their median is their whole range. */
const around = (middle: number, spread: number) => [-2, -1, 0, 0, 1, 2].map(k => middle + (k / 2) * spread);

function judged(comparison: ComparisonDefinition, one: readonly number[], other: readonly number[]) {
  const conditions = [
    ['one', one],
    ['other', other],
  ].map(([id, values]) => {
    const own = { [comparison.metric]: summariseValues(values as number[]) };
    const nothing = { [comparison.metric]: summariseValues([]) };
    const isOfOthers = comparison.of === 'others';
    return { id, subject: 'service', metrics: isOfOthers ? nothing : own, others: {}, together: isOfOthers ? own : {} };
  });
  const [result] = judgeClaims(resolveClaims(plan(claim(comparison)), quantities), { conditions } as never);
  assert.equal(result!.judgement, result!.holds[0]!.judgement);
  return result!.judgement;
}

test('one is lower or higher than the other only where the intervals are disjoint', () => {
  const lower = { metric: 'loss', condition: 'one', than: 'other', expects: 'lower' } as const;
  assert.equal(judged(lower, around(0.1, 0.01), around(0.2, 0.01)), 'right');
  assert.equal(judged({ ...lower, expects: 'higher' }, around(0.1, 0.01), around(0.2, 0.01)), 'wrong');
  assert.equal(judged(lower, around(0.1, 0.06), around(0.2, 0.06)), 'undecided');
  assert.equal(judged(lower, [0.1, 0.1, 0.1], [0.2, 0.2, 0.2]), 'undecided', 'three trials have no 95 % interval');
  assert.equal(judged(lower, [], around(0.2, 0.01)), 'undecided');
});

test('a claim may be of the other applications together', () => {
  const of = { metric: 'rate', of: 'others', condition: 'one', than: 'other', expects: 'lower' } as const;
  assert.equal(judged(of, around(1e6, 1e4), around(2e6, 1e4)), 'right');
  assert.equal(judged({ ...of, expects: 'higher' }, around(1e6, 1e4), around(2e6, 1e4)), 'wrong');
});

test('alike is what is within the margin whatever the true medians are', () => {
  const alike = { metric: 'rate', condition: 'one', than: 'other', expects: 'alike', within: '10%' } as const;
  assert.equal(judged(alike, around(1.02e6, 1e4), around(1e6, 1e4)), 'right');
  assert.equal(judged(alike, around(1.08e6, 3e4), around(1e6, 1e4)), 'undecided');
  assert.equal(judged(alike, around(1.3e6, 1e4), around(1e6, 1e4)), 'wrong');
  assert.equal(judged(alike, around(0.7e6, 1e4), around(1e6, 1e4)), 'wrong');
  assert.equal(judged(alike, around(0, 0), around(0, 0)), 'right');
});

test('a difference of at least so much: a share, or an amount in the unit of the metric', () => {
  const lower = { metric: 'rate', condition: 'one', than: 'other', expects: 'lower', by: '15%' } as const;
  assert.equal(judged(lower, around(0.8e6, 1e4), around(1e6, 1e4)), 'right');
  assert.equal(judged(lower, around(0.95e6, 1e4), around(1e6, 1e4)), 'wrong', 'lower, but by too little');
  assert.equal(judged(lower, around(1e6, 1e4), around(1e6, 1e4)), 'wrong', 'two that are alike');
  assert.equal(judged(lower, around(0.85e6, 3e4), around(1e6, 1e4)), 'undecided');
  const higher = { metric: 'stalled', condition: 'one', than: 'other', expects: 'higher', by: '1s' } as const;
  assert.equal(judged(higher, around(3, 1), around(0, 0)), 'right');
  assert.equal(judged(higher, around(0, 0), around(0, 0)), 'wrong', 'neither stands still at all');
  assert.equal(judged(higher, around(1, 1), around(0, 0)), 'undecided');
  assert.equal(judged({ ...higher, by: 2, metric: 'count' }, around(4, 0), around(1, 0)), 'right');
});

test('not lower and not higher have a margin on one side only', () => {
  const notLower = { metric: 'rate', condition: 'one', than: 'other', expects: 'not-lower', within: '15%' } as const;
  assert.equal(judged(notLower, around(0.9e6, 1e4), around(1e6, 1e4)), 'right');
  assert.equal(judged(notLower, around(3e6, 1e4), around(1e6, 1e4)), 'right', 'more than the other is not less');
  assert.equal(judged(notLower, around(0.7e6, 1e4), around(1e6, 1e4)), 'wrong');
  assert.equal(judged(notLower, around(0.85e6, 4e4), around(1e6, 1e4)), 'undecided');
  const notHigher = {
    metric: 'stalled',
    condition: 'one',
    than: 'other',
    expects: 'not-higher',
    within: '1s',
  } as const;
  assert.equal(judged(notHigher, around(0.2, 0.2), around(0.1, 0.2)), 'right', 'a little, where a share is no margin');
  assert.equal(judged(notHigher, around(4, 1), around(0.1, 0.2)), 'wrong');
  assert.equal(judged(notHigher, around(1.1, 1), around(0.1, 0.2)), 'undecided');
});

test('a bound is kept or missed by the whole interval', () => {
  const below = { metric: 'loss', condition: 'one', below: '1%' } as const;
  assert.equal(judged(below, around(0.005, 0.001), []), 'right');
  assert.equal(judged(below, around(0.02, 0.001), []), 'wrong');
  assert.equal(judged(below, around(0.01, 0.005), []), 'undecided');
  assert.equal(judged({ metric: 'loss', condition: 'one', above: '1%' }, around(0.02, 0.001), []), 'right');
});

test('a claim is refuted by one of its comparisons, and reproduced by all', () => {
  const [low, high] = [
    { metric: 'loss', condition: 'one', below: '1%' },
    { metric: 'loss', condition: 'other', below: '1%' },
  ] as const;
  const verdict = (one: number[], other: number[]) =>
    judgeClaims(resolveClaims(plan(claim(low, high)), quantities), {
      conditions: [
        { id: 'one', metrics: { loss: summariseValues(one) } },
        { id: 'other', metrics: { loss: summariseValues(other) } },
      ],
    } as never)[0]!.judgement;
  assert.equal(verdict(around(0.005, 0), around(0.006, 0)), 'right');
  assert.equal(verdict(around(0.005, 0), around(0.06, 0)), 'wrong');
  assert.equal(verdict(around(0.005, 0), []), 'undecided');
});

test('what it asks for must be there, and be said in one way', () => {
  const refused = (of: unknown, message: RegExp) =>
    assert.throws(() => resolveClaims(plan(of), quantities), { code: 'bad-definition', message });
  const good: ComparisonDefinition = { metric: 'loss', condition: 'one', below: '1%' };
  refused({ text: 'x', holds: [] }, /claims\.0\.holds|claims: 0\.holds/);
  refused(claim({ ...good, metric: 'los' }), /claims\.0\.holds\.0: there is no metric "los"; did you mean "loss"/);
  refused(claim({ ...good, condition: 'on' }), /there is no condition "on"; did you mean "one"/);
  assert.throws(() => resolveClaims(plan(claim({ ...good, condition: 'on' })), quantities), {
    hint: /^known: one, other; --set 'claims=\[\]' runs the study without its claims$/,
  });
  refused(claim({ ...good, below: 0.01 }), /write it like "2%"/);
  refused(claim({ ...good, than: 'other' }), /give one of than, below and above/);
  refused(claim({ metric: 'loss', condition: 'one', than: 'other' }), /"than" and "expects" go together/);
  refused(
    claim({ metric: 'loss', condition: 'one', than: 'other', expects: 'lower', within: '5%' }),
    /"within" goes with/,
  );
  const than = { condition: 'one', than: 'other' } as const;
  refused(claim({ ...than, metric: 'loss', expects: 'alike', by: '5%' }), /"by" goes with/);
  refused(claim({ ...than, metric: 'stalled', expects: 'higher', by: '5' } as never), /"5" is no bound for stalled/);
  refused(claim({ ...than, metric: 'stalled', expects: 'higher', by: '0s' }), /"0s" is no margin/);
});
