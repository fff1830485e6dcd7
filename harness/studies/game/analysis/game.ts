/**
 * A symmetric game. All players of a group are alike, so a state is the number of players of each strategy in each
 * group. Twelve players in three groups of four with two strategies have 125 states instead of 4096.
 */

type Group = { name: string; players: number };

export type Game = {
  groups: readonly Group[];
  /** Names of the strategies, two or more. */
  strategies: readonly string[];
};

/** Number of players, as `state[group][strategy]`. */
export type State = readonly (readonly number[])[];

/** Switch of one player of `group` from strategy `from` to strategy `to`. `target`: state after the switch. */
export type Deviation = { group: number; from: number; to: number; target: State };

/**
 * Returns the id of a state: "2cubic-1bbr_3bbr". Groups are separated by "_", in the order of the game. Strategies
 * without players are left out.
 */
export function stateId({ strategies }: Pick<Game, 'strategies'>, state: State): string {
  // A loop is used instead of array methods, because searches call this function millions of times.
  let id = '';
  for (let g = 0; g < state.length; g++) {
    const counts = state[g]!;
    let separator = g === 0 ? '' : '_';
    for (let k = 0; k < counts.length; k++) {
      if (counts[k] === 0) continue;
      id += `${separator}${counts[k]!}${strategies[k]!}`;
      separator = '-';
    }
    if (separator === '_') id += separator; // an empty group
  }
  return id;
}

/** Returns every way to divide `players` among `strategies`. The counts of the last strategies vary fastest. */
function partitions(players: number, strategies: number): number[][] {
  if (strategies === 1) return [[players]];
  return Array.from({ length: players + 1 }, (_, k) => players - k).flatMap(first =>
    partitions(players - first, strategies - 1).map(rest => [first, ...rest]),
  );
}

/** Returns every state of a game. In the first one all players use the first strategy. */
export function allStates({ groups, strategies }: Game): State[] {
  return groups.reduce<State[]>(
    (states, { players }) =>
      states.flatMap(state => partitions(players, strategies.length).map(counts => [...state, counts])),
    [[]],
  );
}

/** Returns the number of states without creating them. */
export function countStates({ groups, strategies }: Game): number {
  const choose = (n: number, k: number) =>
    Array.from({ length: k }, (_, j) => j + 1).reduce((product, j) => (product * (n - k + j)) / j, 1);
  return groups.reduce(
    (product, { players }) => product * choose(players + strategies.length - 1, strategies.length - 1),
    1,
  );
}

function moved(state: State, group: number, from: number, to: number): State {
  return state.map((counts, g) =>
    g !== group ? counts : counts.map((count, k) => count - (k === from ? 1 : 0) + (k === to ? 1 : 0)),
  );
}

/** Returns every switch of a single player out of a state. */
export function deviationsOf({ strategies }: Pick<Game, 'strategies'>, state: State): Deviation[] {
  return state.flatMap((counts, group) =>
    counts.flatMap((count, from) =>
      count === 0
        ? []
        : strategies.flatMap((_, to) =>
            to === from ? [] : [{ group, from, to, target: moved(state, group, from, to) }],
          ),
    ),
  );
}

/**
 * Returns the state in which each player has the strategy that `strategyOf` returns. Players are numbered from 0, group
 * by group.
 */
export function dealtState({ groups, strategies }: Game, strategyOf: (player: number) => number): State {
  let player = 0;
  return groups.map(({ players }) => {
    const counts = strategies.map(() => 0);
    for (let k = 0; k < players; k++) counts[strategyOf(player++)]!++;
    return counts;
  });
}

/** Returns the state in which all players use the same strategy. */
export const uniformState = (game: Game, strategy: number): State => dealtState(game, () => strategy);

/**
 * Returns the state in which the players use the strategies `of` in turn: the first player the first strategy, the
 * second player the second, and again from the start after the last strategy.
 */
export const mixedState = (game: Game, of: readonly number[]): State =>
  dealtState(game, player => of[player % of.length]!);

/** Returns the state with this id. Undefined if the game has no such state. */
export function stateNamed(game: Game, id: string): State | undefined {
  const groups = id.split('_');
  if (groups.length !== game.groups.length) return undefined;
  const state = groups.map(text => {
    const counts = text.matchAll(/(?:^|-)(\d+)([a-z][a-z0-9-]*?)(?=-\d+[a-z]|$)/g);
    const named = new Map([...counts].map(([, count, strategy]) => [strategy!, Number(count)]));
    return game.strategies.map(strategy => named.get(strategy) ?? 0);
  });
  return stateId(game, state) === id &&
    state.every((counts, g) => counts.reduce((sum, count) => sum + count, 0) === game.groups[g]!.players)
    ? state
    : undefined;
}
