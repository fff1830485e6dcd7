/**
 * What searches say of games whose answer is known: how often they are wrong, what they cost, and whether their bounds
 * hold.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import { Evidence } from '../../harness/studies/game/analysis/evidence.ts';
import { gainOf } from '../../harness/studies/game/analysis/gain.ts';
import { allStates, stateId, stateNamed } from '../../harness/studies/game/analysis/game.ts';
import { isPaperEquilibrium } from '../../harness/studies/game/analysis/paper-rule.ts';
import type { Answer } from '../../harness/studies/game/analysis/search.ts';
import { normal } from './normal.ts';
import {
  anyPayoffs,
  matchingPennies,
  play,
  rockPaperScissors,
  type Simulated,
  sharing,
  trueRegret,
} from './players.ts';

const judge = { tolerance: 0.05, confidence: 0.95, most: 40 };
const options = { ...judge, exhaustive: false };
const noises = [0.05, 0.1, 0.15];
/** Numbers that do not repeat soon, 0 to 1. */
const part = (k: number, step: number) => ((k * step) % 101) / 101;

const kinds: Record<string, { games: number; make: (k: number) => Simulated }> = {
  'one equilibrium': {
    games: 300,
    make: k => sharing({ groups: [4 + (k % 9)], crossing: part(k, 37), slope: -0.4 - 1.6 * part(k, 53) }),
  },
  'two equilibria': {
    games: 200,
    make: k => sharing({ groups: [4 + (k % 9)], crossing: 0.3 + 0.4 * part(k, 37), slope: 0.5 + part(k, 53) }),
  },
  'three groups': {
    games: 50,
    make: k =>
      sharing({ groups: [2, 2, 2], crossing: part(k, 37), slope: -0.5 - 1.5 * part(k, 53), tilt: part(k, 71) }),
  },
  'no order': { games: 100, make: k => (k % 2 === 0 ? anyPayoffs(k, [3], 3) : anyPayoffs(k, [2, 2], 2)) },
  'no equilibrium, two groups': { games: 60, make: k => matchingPennies(0.12 + 0.3 * part(k, 37)) },
  'no equilibrium, three strategies': { games: 25, make: k => rockPaperScissors(3 + (k % 3), 0.3 + 0.5 * part(k, 37)) },
};

/** Every state that an answer calls an equilibrium, found by a path or beside it. */
const equilibriaOf = ({ kind, states }: Answer) => (kind === 'equilibrium' || kind === 'equilibria' ? states : []);

test('of thousands of games at most 5 % of the certificates are wrong, and the other answers hold', () => {
  let [all, certificates, wrong, answered] = [0, 0, 0, 0];
  for (const [name, { games, make }] of Object.entries(kinds)) {
    for (const noise of noises) {
      let [ownCertificates, ownWrong] = [0, 0];
      for (let k = 0; k < games; k++) {
        const simulated = make(k);
        const { answer } = play(simulated, options, noise, 7919 * k + 13);
        all++;
        if (answer.kind !== 'undecided') answered++;
        for (const id of equilibriaOf(answer)) {
          ownCertificates++;
          if (trueRegret(simulated, stateNamed(simulated.game, id)!) > judge.tolerance) ownWrong++;
        }
        if (answer.kind === 'cycle') {
          const cycle = answer.walks.find(({ end }) => end === 'cycle')!.certificates;
          for (const { state } of cycle)
            assert.ok(trueRegret(simulated, state) > judge.tolerance, `${name}: a state of a cycle is an equilibrium`);
        }
      }
      assert.ok(
        ownWrong <= Math.max(2, 0.05 * ownCertificates),
        `${name}, noise ${noise}: ${ownWrong} of ${ownCertificates} certificates are wrong`,
      );
      certificates += ownCertificates;
      wrong += ownWrong;
    }
  }
  assert.ok(all >= 2000 && certificates > 1000, `${all} games, ${certificates} certificates`);
  assert.ok(wrong <= 0.05 * certificates, `${wrong} of ${certificates}`);
  assert.ok(answered > 0.6 * all, `only ${answered} of ${all} games are answered`);
});

test('the bounds of a gain hold at every look in at least 94 % of all runs, whatever the spreads', () => {
  const random = seededRandom(5);
  const alpha = 0.05;
  for (const [noiseA, noiseB] of [
    [0.1, 0.1],
    [0.02, 0.15],
  ] as const) {
    const runs = 2500;
    const holds = { low: 0, high: 0, both: 0 };
    for (let run = 0; run < runs; run++) {
      const evidence = new Evidence();
      let [low, high, both] = [true, true, true];
      for (let round = 1; round <= judge.most; round++) {
        for (const [state, noise] of [
          ['a', noiseA],
          ['b', noiseB],
        ] as const) {
          evidence.add(state, round, [[1 + noise * normal(random)]]);
          const [stayed, switched] = [evidence.sample('a', 0, 0), evidence.sample('b', 0, 0)];
          const one = gainOf(stayed, switched, judge, alpha);
          if (one.low === null || one.high === null) continue;
          low &&= one.low <= 0;
          high &&= one.high >= 0;
          const two = gainOf(stayed, switched, judge, alpha / 2);
          both &&= two.low! <= 0 && two.high! >= 0;
        }
      }
      holds.low += low ? 1 : 0;
      holds.high += high ? 1 : 0;
      holds.both += both ? 1 : 0;
    }
    for (const [which, count] of Object.entries(holds))
      assert.ok(count >= 0.94 * runs, `noise ${noiseA} and ${noiseB}, ${which}: ${count} of ${runs}`);
  }
});

test('where every state is measured, too, at most 5 % of the certificates are wrong', () => {
  let [certificates, wrong] = [0, 0];
  for (const noise of noises) {
    for (let k = 0; k < 60; k++) {
      const simulated = kinds['one equilibrium']!.make(k);
      const { answer } = play(simulated, { ...options, exhaustive: true }, noise, 104_729 * k + 3);
      for (const id of equilibriaOf(answer)) {
        certificates++;
        if (trueRegret(simulated, stateNamed(simulated.game, id)!) > judge.tolerance) wrong++;
      }
    }
  }
  assert.ok(certificates > 150 && wrong <= 0.05 * certificates, `${wrong} of ${certificates}`);
});

/** Trials of searches and of exhaustive runs over the same games, each until it is as sure. */
function costs(groups: readonly number[], games: number, noise: number): { searched: number; exhaustive: number } {
  const sum = { searched: 0, exhaustive: 0 };
  for (let k = 0; k < games; k++) {
    const simulated = sharing({
      groups,
      crossing: 0.1 + 0.8 * part(k, 37),
      slope: -0.6 - 1.6 * part(k, 53),
      tilt: groups.length === 1 ? 0 : part(k, 71),
    });
    sum.searched += play(simulated, options, noise, 31 * k + 7).evidence.trials;
    sum.exhaustive += play(simulated, { ...options, exhaustive: true }, noise, 31 * k + 7).evidence.trials;
  }
  return sum;
}

for (const noise of noises) {
  const at = `with a noise of ${100 * noise} %`;

  test(`twelve players in three groups take at most a quarter of the trials of an exhaustive run that is as sure, ${at}`, () => {
    const { searched, exhaustive } = costs([4, 4, 4], 25, noise);
    assert.ok(searched <= exhaustive / 4, `${searched} against ${exhaustive}`);
  });

  test(`twelve players in one group, who have 13 states only, take less than half, ${at}`, () => {
    const { searched, exhaustive } = costs([12], 25, noise);
    assert.ok(searched <= exhaustive / 2, `${searched} against ${exhaustive}`);
  });
}

test("the paper's rule names more states that are none, and misses more, than are wrong here", () => {
  let [states, wrong] = [0, 0];
  const random = seededRandom(9);
  for (let k = 0; k < 300; k++) {
    const simulated = sharing({ groups: [12], crossing: 0.5, slope: -1 });
    const evidence = new Evidence();
    for (const state of allStates(simulated.game)) {
      for (let round = 1; round <= 3; round++) {
        evidence.add(
          stateId(simulated.game, state),
          round,
          state.map((counts, g) =>
            counts.map((count, s) => (count === 0 ? null : simulated.payoff(state, g, s) * (1 + 0.1 * normal(random)))),
          ),
        );
      }
    }
    const named = allStates(simulated.game).filter(state => isPaperEquilibrium(simulated.game, state, evidence));
    states++;
    if (named.length !== 1 || trueRegret(simulated, named[0]!) > 0) wrong++;
  }
  assert.ok(wrong > 0.3 * states, `${wrong} of ${states}`);
});
