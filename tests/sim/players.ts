/** Simulated players: payoffs that are known, with noise of a known size, in place of trials. */
import { deriveSeed, seededRandom } from '../../core/random.ts';
import { Evidence } from '../../harness/studies/game/analysis/evidence.ts';
import { deviationsOf, type Game, type State } from '../../harness/studies/game/analysis/game.ts';
import { type Answer, type SearchOptions, search } from '../../harness/studies/game/analysis/search.ts';
import { normal } from './normal.ts';

/** True payoff of a player of that group and strategy in that state, of the fair share. */
export type PayoffOf = (state: State, group: number, strategy: number) => number;

export type Simulated = { game: Game; payoff: PayoffOf };

/** `noise`: standard deviation of a trial's payoff, of its mean. */
export function play(
  { game, payoff }: Simulated,
  options: SearchOptions,
  noise: number,
  seed: number,
): { answer: Answer; evidence: Evidence } {
  const evidence = new Evidence();
  const random = seededRandom(seed);
  for (let k = 0; k < 200_000; k++) {
    const { needs, answer } = search(game, evidence, options);
    if (answer !== null) return { answer, evidence };
    for (const { state, id } of needs) {
      evidence.add(
        id,
        evidence.count(id) + 1,
        state.map((counts, group) =>
          counts.map((count, strategy) =>
            count === 0 ? null : payoff(state, group, strategy) * (1 + noise * normal(random)),
          ),
        ),
      );
    }
  }
  throw new Error('the search has no end');
}

/** The most that a player really gains by a switch out of that state. */
export function trueRegret({ game, payoff }: Simulated, state: State): number {
  return Math.max(
    ...deviationsOf(game, state).map(
      ({ group, from, to, target }) => payoff(target, group, to) - payoff(state, group, from),
    ),
  );
}

const chance = (...parts: (string | number)[]) => seededRandom(deriveSeed(1, ...parts));

const total = (state: State, strategy: number) => state.reduce((sum, counts) => sum + counts[strategy]!, 0);

/**
 * A share of the link by weights: a player of the second strategy weighs more or less as more play it, and as its RTT
 * is longer; the payoffs of a state have the mean 1, as on a full link. `slope` below 0: one equilibrium near
 * `crossing`; above 0: everybody wants what most do.
 */
export function sharing({
  groups,
  crossing,
  slope,
  tilt = 0,
}: {
  groups: readonly number[];
  crossing: number;
  slope: number;
  tilt?: number;
}): Simulated {
  const players = groups.reduce((sum, n) => sum + n, 0);
  const game: Game = { groups: groups.map((n, k) => ({ name: `g${k}`, players: n })), strategies: ['cubic', 'bbr'] };
  const weights = (state: State) =>
    groups.map((_, group) => {
      const place = groups.length === 1 ? 0 : group / (groups.length - 1) - 0.5;
      return [
        Math.exp(-tilt * place),
        Math.exp(slope * (total(state, 1) / players - crossing) + tilt * place),
      ] as const;
    });
  return {
    game,
    payoff: (state, group, strategy) => {
      const all = weights(state);
      const sum = state.reduce((part, counts, g) => part + counts[0]! * all[g]![0] + counts[1]! * all[g]![1], 0);
      return (players * all[group]![strategy]!) / sum;
    },
  };
}

/** One player of each of two groups; the first wants to be alike, the second to differ: no pure equilibrium. */
export function matchingPennies(stake: number): Simulated {
  const game: Game = {
    groups: [
      { name: 'even', players: 1 },
      { name: 'odd', players: 1 },
    ],
    strategies: ['cubic', 'bbr'],
  };
  return { game, payoff: (state, group) => 1 + ((state[0]![0] === state[1]![0]) === (group === 0) ? stake : -stake) };
}

/** Three strategies, each beaten by the next; who is not beaten gains. */
export function rockPaperScissors(players: number, stake: number): Simulated {
  const game: Game = { groups: [{ name: 'all', players }], strategies: ['rock', 'paper', 'scissors'] };
  return {
    game,
    payoff: ([counts], _group, strategy) =>
      1 + (stake * (counts![(strategy + 2) % 3]! - counts![(strategy + 1) % 3]!)) / players,
  };
}

/** Payoffs without any order. */
export function anyPayoffs(seed: number, groups: readonly number[], strategies: number): Simulated {
  const game: Game = {
    groups: groups.map((n, k) => ({ name: `g${k}`, players: n })),
    strategies: ['a', 'b', 'c'].slice(0, strategies),
  };
  const known = new Map<string, number>();
  return {
    game,
    payoff: (state, group, strategy) => {
      const key = `${JSON.stringify(state)} ${group} ${strategy}`;
      let value = known.get(key);
      if (value === undefined) known.set(key, (value = 0.6 + 0.8 * chance('payoff', seed, key).next()));
      return value;
    },
  };
}
