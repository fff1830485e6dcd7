import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../../../../core/random.ts';
import {
  StoppingRule,
  type StoppingRuleId,
  type StoppingState,
} from '../../../../../../harness/studies/pairs/analysis/stopping-rule.ts';
import { normal } from '../../../../../sim/normal.ts';

const random = seededRandom(11);

const distributions: Record<string, { draw: () => number; median: number }> = {
  'normal, sd 0.1': { draw: () => 0.1 * normal(random), median: 0 },
  'normal, sd 0.3': { draw: () => 0.3 * normal(random), median: 0 },
  'normal, sd 1': { draw: () => normal(random), median: 0 },
  'log-normal': { draw: () => Math.exp(0.7 * normal(random)) - 1, median: 0 },
  'two modes, half and half': { draw: () => (random.next() < 0.5 ? -1.5 : 1.5) + 0.3 * normal(random), median: 0 },
  'two modes, 70 to 30': { draw: () => (random.next() < 0.7 ? 0 : 3) + 0.3 * normal(random), median: 0.3 * 0.5659488 },
};
const halfWidth = 0.5;
const runs = 3000;

/** Runs trials until the rule ends the pair. */
function simulate(
  rule: StoppingRule,
  draw: () => number,
): { n: number; state: StoppingState; low: number; high: number } {
  const values: number[] = [];
  for (;;) {
    values.push(draw());
    const {
      state,
      intervals: [interval],
    } = rule.decide([values], halfWidth);
    if (state !== 'open') return { n: values.length, state, ...interval! };
  }
}

function simulated(id: StoppingRuleId, name: string) {
  const rule = new StoppingRule(id, 30);
  const { draw, median } = distributions[name]!;
  const ends = Array.from({ length: runs }, () => simulate(rule, draw));
  const share = (is: (end: (typeof ends)[number]) => boolean) => ends.filter(is).length / runs;
  return {
    n: ends.reduce((sum, end) => sum + end.n, 0) / runs,
    covered: share(end => end.low <= median && median <= end.high),
    converged: share(end => end.state === 'converged'),
    futile: share(end => end.state === 'futile'),
  };
}

describe('the interval at the end of a simulated pair holds the median', () => {
  for (const name of Object.keys(distributions)) {
    test(`sequential, ${name}: at least 94 %`, () => {
      const { covered } = simulated('sequential', name);
      assert.ok(covered >= 0.94, String(covered));
    });
  }
});

test("it spends fewer trials than the paper's where trials agree", () => {
  const [ours, theirs] = [simulated('sequential', 'normal, sd 0.3'), simulated('prudentia', 'normal, sd 0.3')];
  assert.ok(ours.n < theirs.n && ours.converged > 0.99 && theirs.converged > 0.95, JSON.stringify({ ours, theirs }));
  assert.ok(Math.abs(simulated('sequential', 'normal, sd 0.1').n - 7) < 0.05);
  assert.equal(simulated('prudentia', 'normal, sd 0.1').n, 10);
});

test('it gives up early on two modes that no number of trials would settle', () => {
  const { n, futile, converged } = simulated('sequential', 'two modes, half and half');
  assert.ok(futile > 0.8 && converged < 0.05 && n < 16, JSON.stringify({ n, futile, converged }));
});

describe('by hand', () => {
  const sequential = new StoppingRule('sequential', 30);
  const equal = (n: number, value = 4) => Array.from({ length: n }, () => value);
  test('six trials have no interval, seven that agree are enough', () => {
    assert.deepEqual(sequential.decide([equal(6), equal(6)], 0.5), { state: 'open', intervals: [null, null] });
    assert.deepEqual(sequential.decide([equal(7), equal(7, 3)], 0.5), {
      state: 'converged',
      intervals: [
        { low: 4, high: 4 },
        { low: 3, high: 3 },
      ],
    });
    assert.equal(sequential.fewest, 7);
  });
  test('both sides must be known well', () => {
    const spread = [1, 2, 3, 4, 5, 6, 7];
    assert.equal(sequential.decide([equal(7), spread], 0.5).state, 'open');
    assert.deepEqual(sequential.decide([spread, spread], 3).state, 'converged'); // 4 +- 3
    assert.deepEqual(sequential.decide([spread, spread], 2.9).state, 'open');
  });
  test('one outlier of eleven is not in the interval', () => {
    const decision = sequential.decide([[...equal(10), 100]], 0.5);
    assert.deepEqual(decision, { state: 'converged', intervals: [{ low: 4, high: 4 }] });
  });
  test('a spread that promises nothing is given up at the twelfth trial, not before', () => {
    const wide = Array.from({ length: 12 }, (_, k) => k);
    assert.equal(sequential.decide([wide.slice(0, 11)], 0.5).state, 'open');
    assert.equal(sequential.decide([wide], 0.5).state, 'futile');
  });
  test('the last trial ends it', () => {
    const values = Array.from({ length: 30 }, (_, k) => (k % 2 === 0 ? 0 : 1.2));
    assert.equal(sequential.decide([values], 0.5).state, 'exhausted');
  });
  test("the paper's rule looks at 10, 20 and 30 only", () => {
    const rule = new StoppingRule('prudentia', 30);
    assert.equal(rule.decide([equal(9)], 0.5).state, 'open');
    assert.equal(rule.decide([equal(10)], 0.5).state, 'converged');
    assert.equal(rule.decide([equal(11)], 0.5).state, 'open');
    assert.equal(rule.decide([equal(20)], 0.5).state, 'converged');
    assert.equal(rule.fewest, 10);
  });
  test('a fixed number is one look; one trial has no interval', () => {
    const rule = new StoppingRule('fixed', 1);
    assert.deepEqual(rule.decide([[4], [3]], 0.5), { state: 'exhausted', intervals: [null, null] });
    assert.equal(new StoppingRule('fixed', 8).decide([equal(7)], 0.5).state, 'open');
    assert.equal(new StoppingRule('fixed', 8).decide([equal(8)], 0.5).state, 'converged');
  });
  test('nothing yet is open', () =>
    assert.deepEqual(sequential.decide([[], []], 0.5), { state: 'open', intervals: [null, null] }));
});
