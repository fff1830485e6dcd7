/**
 * A game by symmetry: players of a group are alike, so a state is how many of each group play each strategy. Twelve
 * players in three groups with two strategies have 125 states, not 4096.
 */

type Group = { name: string; players: number };

export type Game = {
  groups: readonly Group[];
  /** Two or more. */
  strategies: readonly string[];
};

/** How many play each strategy, by group and strategy. */
export type State = readonly (readonly number[])[];

/** One player of `group` leaves strategy `from` for `to`; `target` is the state that it makes. */
export type Deviation = { group: number; from: number; to: number; target: State };

/** "2cubic-1bbr_3bbr": groups in order, strategies that nobody plays left out. */
export function stateId({ strategies }: Pick<Game, 'strategies'>, state: State): string {
  // searches ask for it millions of times
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

/** Every way to part `players` among so many strategies, the last strategies varying fastest. */
function partitions(players: number, strategies: number): number[][] {
  if (strategies === 1) return [[players]];
  return Array.from({ length: players + 1 }, (_, k) => players - k).flatMap(first =>
    partitions(players - first, strategies - 1).map(rest => [first, ...rest]),
  );
}

/** Every state; everybody with the first strategy comes first. */
export function allStates({ groups, strategies }: Game): State[] {
  return groups.reduce<State[]>(
    (states, { players }) =>
      states.flatMap(state => partitions(players, strategies.length).map(counts => [...state, counts])),
    [[]],
  );
}

/** How many states there are, without making them. */
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

/** Every single switch out of a state. */
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

/** The state that comes of asking each player in turn, group by group, for its strategy; players count from 0. */
export function dealtState({ groups, strategies }: Game, strategyOf: (player: number) => number): State {
  let player = 0;
  return groups.map(({ players }) => {
    const counts = strategies.map(() => 0);
    for (let k = 0; k < players; k++) counts[strategyOf(player++)]!++;
    return counts;
  });
}

/** A state in which everybody plays one strategy. */
export const uniformState = (game: Game, strategy: number): State => dealtState(game, () => strategy);

/** A state in which players take these strategies in turn. */
export const mixedState = (game: Game, of: readonly number[]): State =>
  dealtState(game, player => of[player % of.length]!);

/** The state that is called so; undefined where none is. */
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
