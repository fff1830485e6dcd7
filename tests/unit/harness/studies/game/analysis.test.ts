import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../core/random.ts';
import { certify } from '../../../../../harness/studies/game/analysis/certificate.ts';
import { Evidence } from '../../../../../harness/studies/game/analysis/evidence.ts';
import { gainOf, meanBounds, trialsToDecide } from '../../../../../harness/studies/game/analysis/gain.ts';
import {
  allStates,
  countStates,
  deviationsOf,
  type Game,
  stateId,
  uniformState,
} from '../../../../../harness/studies/game/analysis/game.ts';
import { deviationCurve, mixedEquilibria } from '../../../../../harness/studies/game/analysis/mixed.ts';
import { isPaperEquilibrium } from '../../../../../harness/studies/game/analysis/paper-rule.ts';
import { payoffRange, within } from '../../../../../harness/studies/game/analysis/payoff-range.ts';
import { search } from '../../../../../harness/studies/game/analysis/search.ts';
import { sequentialLevels } from '../../../../../harness/studies/game/analysis/sequential-levels.ts';
import { normal } from '../../../../sim/normal.ts';

const judge = { tolerance: 0.05, confidence: 0.95, most: 20 };
const threeGroups: Game = {
  groups: ['near', 'middle', 'far'].map(name => ({ name, players: 4 })),
  strategies: ['cubic', 'bbr'],
};
const two: Game = { groups: [{ name: 'all', players: 2 }], strategies: ['cubic', 'bbr'] };

/** Adds trials with small differences, for rounds 1 to `trials`. */
function addTrials(evidence: Evidence, state: string, trials: number, payoffs: (number | null)[][]): void {
  for (let round = 1; round <= trials; round++)
    evidence.add(
      state,
      round,
      payoffs.map(group => group.map(value => (value === null ? null : value + (round % 2 === 0 ? 0.004 : -0.004)))),
    );
}

test('twelve players in three groups have 125 states, each with its own name', () => {
  const states = allStates(threeGroups);
  assert.equal(states.length, 125);
  assert.equal(countStates(threeGroups), 125);
  assert.equal(new Set(states.map(state => stateId(threeGroups, state))).size, 125);
  assert.equal(
    stateId(threeGroups, [
      [4, 0],
      [1, 3],
      [0, 4],
    ]),
    '4cubic_1cubic-3bbr_4bbr',
  );
  assert.equal(countStates({ groups: [{ name: 'all', players: 6 }], strategies: ['a', 'b', 'c'] }), 28);
});

test('players of a group are alike: a state has one switch for each group and strategy in use', () => {
  assert.equal(
    deviationsOf(threeGroups, [
      [2, 2],
      [4, 0],
      [0, 4],
    ]).length,
    4,
  );
  assert.deepEqual(uniformState(threeGroups, 1), [
    [0, 4],
    [0, 4],
    [0, 4],
  ]);
});

test('alpha is spent over the looks, none before the first', () => {
  const levels = sequentialLevels(0.05, 20, 4);
  assert.deepEqual(levels.slice(0, 3), [0, 0, 0]);
  assert.ok(levels.slice(3).every(level => level > 0 && level < 0.05));
  assert.ok(Math.abs(sequentialLevels(0.05, 1, 1)[0]! - 0.05) < 2e-3, 'a single look has all of it');
});

test('bounds contain only possible values: nobody has less than nothing, or loses more than it can have', () => {
  const evidence = new Evidence();
  // three trials of a link with a rate of 2, whose payoffs vary widely
  for (const [round, value] of [0.7, 1, 0.9].entries()) evidence.add('2bbr', round + 1, [[null, value]]);
  for (const [round, value] of [0.05, 0.3, 0.1].entries()) evidence.add('1cubic-1bbr', round + 1, [[value, 1.8]]);
  const free = certify(two, [[0, 2]], evidence, judge).deviations[0]!.gain;
  assert.ok(free.low! < -1.01, 'without a range the player might lose more than half of the link');
  const rangeOf = (players: number) => payoffRange({ unit: 'bit/s', better: 'higher' }, 2, players);
  const { low, high, estimate } = certify(two, [[0, 2]], evidence, { ...judge, rangeOf }).deviations[0]!.gain;
  assert.deepEqual([low, high], [-1, free.high]);
  assert.equal(estimate, free.estimate);
  const sample = evidence.sample('1cubic-1bbr', 0, 0);
  assert.ok(meanBounds(sample, judge).low! < 0);
  assert.equal(meanBounds(sample, judge, rangeOf(1)).low, 0);
  const delay = payoffRange({ unit: 'ms', better: 'lower' }, 2, 1);
  assert.deepEqual(delay, { least: -Infinity, most: 0 }, 'the payoff of a delay is the delay with the opposite sign');
  assert.deepEqual(payoffRange({ unit: 'ratio', better: null }, null, 1), { least: 0, most: 1 });
  assert.deepEqual(within({ low: 0.9, high: 1.2 }, { least: 0, most: 1 }, 1.001), { low: 0.9, high: 1.001 });
});

test('a state is an equilibrium when every switch is shown not to pay, refuted when one is shown to pay, and open before', () => {
  const evidence = new Evidence();
  addTrials(evidence, '2bbr', 4, [[null, 1]]);
  assert.equal(certify(two, [[0, 2]], evidence, judge).verdict, 'open');
  addTrials(evidence, '1cubic-1bbr', 4, [[0.5, 1.5]]);
  addTrials(evidence, '2cubic', 4, [[1, null]]);
  const equilibrium = certify(two, [[0, 2]], evidence, judge);
  assert.equal(equilibrium.verdict, 'equilibrium');
  assert.equal(equilibrium.regret, 0);
  assert.equal(certify(two, [[2, 0]], evidence, judge).verdict, 'refuted');
});

test('a search asks for the ends first, then for what decides', () => {
  const evidence = new Evidence();
  const six: Game = { groups: [{ name: 'all', players: 6 }], strategies: ['cubic', 'bbr'] };
  const asked = () => search(six, evidence, { ...judge, exhaustive: false }).needs.map(({ id }) => id);
  assert.deepEqual(asked(), ['6cubic', '5cubic-1bbr', '1cubic-5bbr', '6bbr']);
  addTrials(evidence, '6cubic', 2, [[1, null]]);
  addTrials(evidence, '5cubic-1bbr', 2, [[0.8, 2]]);
  addTrials(evidence, '1cubic-5bbr', 2, [[1.5, 0.9]]);
  addTrials(evidence, '6bbr', 2, [[null, 1]]);
  assert.deepEqual(asked(), ['4cubic-2bbr', '3cubic-3bbr']);
});

test('the same trials ask for the same next one, in whatever order they came', () => {
  const payoffs = [
    ['6cubic', [[1, null]]],
    ['5cubic-1bbr', [[0.8, 2]]],
    ['1cubic-5bbr', [[1.5, 0.9]]],
    ['6bbr', [[null, 1]]],
  ] as const;
  const six: Game = { groups: [{ name: 'all', players: 6 }], strategies: ['cubic', 'bbr'] };
  const needs = [payoffs, payoffs.toReversed()].map(order => {
    const evidence = new Evidence();
    for (const round of [2, 1]) for (const [state, values] of order) evidence.add(state, round, values);
    return search(six, evidence, { ...judge, exhaustive: false }).needs;
  });
  assert.deepEqual(needs[0], needs[1]);
});

test('a state that has all the trials it may have is undecided, with the number that it would take', () => {
  const evidence = new Evidence();
  for (let round = 1; round <= 20; round++) {
    const off = round % 2 === 0 ? 0.15 : -0.15;
    evidence.add('2cubic', round, [[1 + off, null]]);
    evidence.add('1cubic-1bbr', round, [[1 + off, 1.02 - off]]);
    evidence.add('2bbr', round, [[null, 1 - off]]);
  }
  const { answer } = search(two, evidence, { ...judge, exhaustive: false });
  assert.equal(answer?.kind, 'undecided');
  assert.ok(answer!.trialsNeeded! > 20, String(answer!.trialsNeeded));
});

test('the number of trials that it would take is enough in four cases of five, and more where more is asked', () => {
  const random = seededRandom(3);
  const sampled = (mean: number, n: number, noise = 0.1) => {
    const evidence = new Evidence();
    for (let round = 1; round <= n; round++) evidence.add('x', round, [[mean + noise * normal(random)]]);
    return evidence.sample('x', 0, 0);
  };
  const alphas = { not: 0.05, pays: 0.025 };
  const exactly = { n: 10, variance: 0.01 };
  const [stayed, switched] = [
    { ...exactly, mean: 1 },
    { ...exactly, mean: 1 },
  ];
  const gain = gainOf(stayed, switched, { tolerance: 0.05, most: 30 }, 0.05);
  const needed = trialsToDecide(gain, stayed, switched, 0.05, alphas)!;
  let decided = 0;
  for (let run = 0; run < 400; run++) {
    const { high } = gainOf(sampled(1, needed), sampled(1, needed), { tolerance: 0.05, most: needed }, 0.05);
    if (high! < 0.05) decided++;
  }
  assert.ok(decided > 0.75 * 400 && decided < 0.97 * 400, `${needed} trials decide ${decided} of 400`);
  const surer = trialsToDecide(gain, stayed, switched, 0.05, { not: 0.01, pays: 0.005 })!;
  assert.ok(surer > needed, `${surer} against ${needed}`);
  assert.equal(trialsToDecide({ ...gain, estimate: 0.05 }, stayed, switched, 0.05, alphas), Infinity);
});

test('an equilibrium is not said to be the only one while other states are open', () => {
  const evidence = new Evidence();
  addTrials(evidence, '2bbr', 4, [[null, 1]]);
  addTrials(evidence, '1cubic-1bbr', 4, [[0.5, 1.5]]);
  addTrials(evidence, '2cubic', 4, [[1, null]]);
  const whole = { ...judge, exhaustive: true };
  const { answer: only } = search(two, evidence, whole);
  assert.deepEqual([only!.kind, only!.states, only!.open, only!.scope], ['equilibrium', ['2bbr'], [], 'every']);
  const { answer: found } = search(two, evidence, { ...judge, exhaustive: false });
  assert.equal(found!.scope, 'search');

  const unsure = new Evidence();
  addTrials(unsure, '2bbr', 4, [[null, 1]]);
  for (const round of [1, 2, 3, 4]) {
    const off = round % 2 === 0 ? 0.6 : -0.6;
    unsure.add('1cubic-1bbr', round, [[0.5, 1 + off]]);
    unsure.add('2cubic', round, [[1 - off, null]]);
  }
  const { answer } = search(two, unsure, { ...whole, most: 4 });
  assert.deepEqual([answer!.states, answer!.open], [['2bbr'], ['2cubic']]);
});

test('a state that cannot be measured leaves its neighbours undecided, and the search ends', () => {
  const evidence = new Evidence();
  addTrials(evidence, '2cubic', 6, [[1, null]]);
  addTrials(evidence, '2bbr', 6, [[null, 1]]);
  const { answer } = search(two, evidence, { ...judge, exhaustive: true, lost: new Set(['1cubic-1bbr']) });
  assert.equal(answer?.kind, 'undecided');
});

test('a mixed equilibrium lies where both strategies give the same on average', () => {
  assert.deepEqual(mixedEquilibria([1, 1, 1]), [{ p: 1, isStable: true }]);
  assert.deepEqual(mixedEquilibria([-1, -1]), [{ p: 0, isStable: true }]);
  const [only] = mixedEquilibria([1, 0, -1]);
  assert.ok(Math.abs(only!.p - 0.5) < 1e-3 && only!.isStable);
  assert.deepEqual(
    mixedEquilibria([-1, 0, 1]).map(({ isStable }) => isStable),
    [true, false, true],
  );
  const evidence = new Evidence();
  addTrials(evidence, '2cubic', 2, [[1, null]]);
  addTrials(evidence, '1cubic-1bbr', 2, [[0.8, 1.2]]);
  addTrials(evidence, '2bbr', 2, [[null, 0.9]]);
  const curve = deviationCurve(two, evidence)!;
  assert.ok(Math.abs(curve.gains[0]! - 0.2) < 1e-9 && Math.abs(curve.gains[1]! - 0.1) < 1e-9);
});

test("the paper's rule takes three trials and no tolerance", () => {
  const evidence = new Evidence();
  addTrials(evidence, '2cubic', 3, [[1, null]]);
  addTrials(evidence, '1cubic-1bbr', 3, [[0.5, 1.001]]);
  assert.equal(isPaperEquilibrium(two, [[2, 0]], evidence), false);
  assert.equal(isPaperEquilibrium(two, [[0, 2]], evidence), null);
});

const three: Game = { groups: [{ name: 'all', players: 2 }], strategies: ['a', 'b', 'c'] };

test('a switch that cannot be told does not keep another one from refuting its state', () => {
  const evidence = new Evidence();
  for (let round = 1; round <= 3; round++) {
    const off = [0.15, -0.15, 0][round - 1]!;
    evidence.add('2a', round, [[1 + off, null, null]]);
    evidence.add('1a-1c', round, [[0.5, null, 1.2 - off]]);
    evidence.add('2b', round, [[null, 1, null]]);
    evidence.add('1b-1c', round, [[null, 1, 1]]);
    evidence.add('2c', round, [[null, null, 1]]);
  }
  const { needs } = search(three, evidence, { ...judge, exhaustive: true, lost: new Set(['1a-1b']) });
  assert.ok(
    needs.some(({ id }) => id === '2a') && needs.some(({ id }) => id === '1a-1c'),
    JSON.stringify(needs.map(({ id }) => id)),
  );
});

test('open switches of which no number of trials can be told are counted, and hide no number', () => {
  const evidence = new Evidence();
  for (let round = 1; round <= 20; round++) {
    const off = round % 2 === 0 ? 0.15 : -0.15;
    evidence.add('2a', round, [[1 + off, null, null]]);
    evidence.add('1a-1b', round, [[1 + off, 1.02 - off, null]]);
    evidence.add('2b', round, [[null, 1 - off, null]]);
  }
  const { answer } = search(three, evidence, { ...judge, exhaustive: false, isOver: true });
  assert.equal(answer?.kind, 'undecided');
  assert.ok(answer!.trialsNeeded! > 20, JSON.stringify(answer));
  // Each strategy with players has two switches out of a state.
  assert.ok(answer!.untold > 0 && answer!.untold < 4 * answer!.open.length, JSON.stringify(answer));
});

test('a search names every state that its trials show to be an equilibrium', () => {
  const evidence = new Evidence();
  addTrials(evidence, '2cubic', 6, [[1, null]]);
  addTrials(evidence, '1cubic-1bbr', 6, [[1, 1]]);
  addTrials(evidence, '2bbr', 6, [[null, 1]]);
  const { answer } = search(two, evidence, { ...judge, exhaustive: false });
  assert.deepEqual([answer?.kind, answer?.states.toSorted()], ['equilibria', ['1cubic-1bbr', '2bbr', '2cubic']]);
});

test('two cycles are told apart', () => {
  const game: Game = {
    groups: ['row', 'column', 'bystander'].map(name => ({ name, players: 1 })),
    strategies: ['a', 'b'],
  };
  const evidence = new Evidence();
  for (const state of allStates(game)) {
    const [row, column, bystander] = state.map(counts => counts.indexOf(1)) as [number, number, number];
    const at = (strategy: number, value: number) => (strategy === 0 ? [value, null] : [null, value]);
    const isMatch = row === column;
    addTrials(evidence, stateId(game, state), 6, [
      at(row, isMatch ? 2 : 1),
      at(column, isMatch ? 1 : 2),
      at(bystander, 1),
    ]);
  }
  const { answer } = search(game, evidence, { ...judge, exhaustive: false });
  assert.equal(answer?.kind, 'cycle');
  assert.deepEqual(
    answer!.cycles.map(cycle => cycle.map(id => id.slice(-1)).join('')).toSorted(),
    ['aaaa', 'bbbb'],
    JSON.stringify(answer!.cycles),
  );
});

test('where the middle could not be measured the search goes on beside it', () => {
  const six: Game = { groups: [{ name: 'all', players: 6 }], strategies: ['cubic', 'bbr'] };
  const evidence = new Evidence();
  const isLost = (k: number) => k === 3;
  for (let k = 0; k <= 6; k++)
    if (!isLost(k))
      addTrials(evidence, stateId(six, [[6 - k, k]]), 6, [[k === 6 ? null : 1, k === 0 ? null : k <= 5 ? 1.5 : 0.5]]);
  const { answer } = search(six, evidence, { ...judge, exhaustive: false, lost: new Set(['3cubic-3bbr']) });
  assert.deepEqual([answer?.kind, answer?.states], ['equilibrium', ['1cubic-5bbr']]);

  const ends = new Evidence();
  addTrials(ends, '6cubic', 2, [[1, null]]);
  addTrials(ends, '5cubic-1bbr', 2, [[1, 1.5]]);
  addTrials(ends, '1cubic-5bbr', 2, [[1, 1.5]]);
  addTrials(ends, '6bbr', 2, [[null, 0.5]]);
  const { needs } = search(six, ends, { ...judge, exhaustive: false, lost: new Set(['3cubic-3bbr']) });
  assert.deepEqual(
    needs.map(({ id }) => id),
    ['4cubic-2bbr'],
    'nothing is asked for that could not part the rest',
  );
});

test('of trials that agree to the last bit no number is told that would decide', () => {
  const alike = { n: 4, mean: 1, variance: 0 };
  const gain = { estimate: 1, low: null, high: null, error: 0 };
  assert.equal(trialsToDecide(gain, alike, alike, 0, { not: 0.05, pays: 0.025 }), Infinity);
});

test('trials that agree to the last bit bound nothing where there is no tolerance', () => {
  const [stayed, switched] = [
    { n: 3, mean: 0, variance: 0 },
    { n: 3, mean: 1, variance: 0 },
  ];
  assert.deepEqual(gainOf(stayed, switched, { tolerance: 0, most: 20 }, 0.05), {
    estimate: 1,
    low: null,
    high: null,
    error: 0,
  });
  assert.ok(gainOf(stayed, switched, { tolerance: 0.05, most: 20 }, 0.05).low! > 0.9);
});
