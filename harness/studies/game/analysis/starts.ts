/** Starting states of the paths of best responses: the most likely equilibria after few trials. */
import type { Evidence } from './evidence.ts';
import { dealtState, type Game, type State, stateId, uniformState } from './game.ts';
import type { Need } from './need.ts';

type Starts = { needs: Need[] } | { states: State[] };

type Looks = {
  /** Requests trials of each of the states that has too few trials. */
  missing: (states: readonly State[]) => Need[];
  /** True if the state with this id cannot be measured. */
  isLost: (id: string) => boolean;
};

export function startsOf(game: Game, evidence: Evidence, looks: Looks): Starts {
  const [group] = game.groups;
  if (game.strategies.length === 2 && game.groups.length === 1) return bisect(game, group!.players, evidence, looks);
  return { states: startingPoints(game) };
}

/**
 * Bisects g(k), the gain of a player by a switch to the second strategy when k other players use it. An equilibrium is
 * at the k where g falls through 0. If g is below 0 at k = 0, all players use the first strategy. If g is above 0 at k
 * = n - 1, all players use the second.
 */
function bisect(game: Game, players: number, evidence: Evidence, { missing, isLost }: Looks): Starts {
  const at = (k: number): State => [[players - k, k]];
  const ends = missing([at(0), at(1), at(players - 1), at(players)].filter((_, k) => players > 1 || k < 2));
  if (ends.length > 0) return { needs: ends };
  const gain = (k: number) => early(game, evidence, at(k + 1), 1) - early(game, evidence, at(k), 0);
  const pure = [...(gain(0) <= 0 ? [at(0)] : []), ...(gain(players - 1) >= 0 ? [at(players)] : [])];
  if (pure.length > 0) return { states: pure };
  let [low, high] = [0, players - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    // If the state in the middle cannot be measured, the nearest measurable one is used.
    const between = Array.from({ length: high - low - 1 }, (_, k) => low + 1 + k);
    let parting: number | undefined;
    for (const k of between.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
      if ([at(k), at(k + 1)].some(state => isLost(stateId(game, state)))) continue;
      const needs = missing([at(k), at(k + 1)]);
      if (needs.length > 0) return { needs };
      if (Number.isNaN(gain(k))) continue;
      parting = k;
      break;
    }
    if (parting === undefined) return { states: [at(low + 1), at(high)] };
    if (gain(parting) > 0) low = parting;
    else high = parting;
  }
  return { states: [at(high)] };
}

/**
 * Returns the mean payoff of the first two trials. Later trials are ignored, so that they do not change the start of
 * the search.
 */
function early(game: Game, evidence: Evidence, state: State, strategy: number): number {
  const values = evidence.values(stateId(game, state), 0, strategy).slice(0, 2);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the starting states. In the first one the first groups play the first strategies and the last groups the last
 * ones, as in the paper's equilibria (Mishra et al., APNet 2021, section 4). In each other one all players use one
 * strategy.
 */
function startingPoints(game: Game): State[] {
  const { groups, strategies } = game;
  const total = groups.reduce((sum, { players }) => sum + players, 0);
  const cut = dealtState(game, player => Math.floor((player * strategies.length) / total));
  const ends = strategies.map((_, k) => uniformState(game, k));
  const all = [cut, ...ends];
  return all.filter((state, k) => all.findIndex(other => stateId(game, other) === stateId(game, state)) === k);
}
