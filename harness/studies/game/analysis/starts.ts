/** Where best responses begin: what few trials make the most likely answers. */
import type { Evidence } from './evidence.ts';
import { dealtState, type Game, type State, stateId, uniformState } from './game.ts';
import type { Need } from './need.ts';

type Starts = { needs: Need[] } | { states: State[] };

type Looks = {
  /** Which of the states were not looked at yet. */
  missing: (states: readonly State[]) => Need[];
  /** Whether a state, by its id, can never be looked at. */
  isLost: (id: string) => boolean;
};

export function startsOf(game: Game, evidence: Evidence, looks: Looks): Starts {
  const [group] = game.groups;
  if (game.strategies.length === 2 && game.groups.length === 1) return bisect(game, group!.players, evidence, looks);
  return { states: startingPoints(game) };
}

/**
 * g(k) is what the next player gains by the second strategy when k play it. Where it falls through 0 is an equilibrium;
 * where it is below 0 at k = 0, or above it at k = n - 1, all play the same.
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
    // where a state could not be measured, the next one beside it parts the rest
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

/** By the first trials alone: those that come later must not change where the search began. */
function early(game: Game, evidence: Evidence, state: State, strategy: number): number {
  const values = evidence.values(stateId(game, state), 0, strategy).slice(0, 2);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The middle of what there is to choose from, cut by the order of the groups, as the paper's equilibria are (Mishra et
 * al., APNet 2021, section 4): the first groups play the first strategies. Then the ends, where everybody plays the
 * same.
 */
function startingPoints(game: Game): State[] {
  const { groups, strategies } = game;
  const total = groups.reduce((sum, { players }) => sum + players, 0);
  const cut = dealtState(game, player => Math.floor((player * strategies.length) / total));
  const ends = strategies.map((_, k) => uniformState(game, k));
  const all = [cut, ...ends];
  return all.filter((state, k) => all.findIndex(other => stateId(game, other) === stateId(game, state)) === k);
}
