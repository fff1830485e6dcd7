/** Positions of the states in the diagram of a game. */
import type { GameCaseSummary, StateSummary } from '../../harness/studies/game/summary.ts';

type Place = { x: number; y: number };
type Range = readonly [low: number, high: number];

/** Layout of the states of a game. Lengths are in units of `unitPx`. */
type Layout = {
  placeOf: (counts: StateSummary['counts']) => Place;
  unitPx: number;
  /** Ranges of the drawing. Undefined: the ranges of the measured states. */
  ranges?: { x: Range; y: Range };
  /** Names of the corners of a polygon, or of planes that are drawn side by side. Empty if the states have labels. */
  labels: readonly (Place & { name: string })[];
  words: string;
};

/** Distance from the lowest states of a plane down to its name, px. */
const belowPx = 26;

/** Maximum number of states in a diagram. With more, the dots would cover each other. */
const mostStates = 250;

/**
 * Numbers of corners for which no two states coincide. They are prime, because only all corners of a regular p-gon, p
 * prime, add up to 0.
 */
const primes = [3, 5, 7, 11, 13];

/**
 * Layout with each strategy at a corner of a regular polygon, and each state at the mean of its players' corners. A
 * polygon may have more corners than the game has strategies.
 */
function polygon({ strategies, groups: [group] }: GameCaseSummary): Layout | undefined {
  const size = primes.find(prime => prime >= strategies.length);
  if (size === undefined) return undefined;
  const corners = strategies.map(({ title }, k) => {
    const angle = -Math.PI / 2 + ((2 * k - 1) * Math.PI) / size; // the first two are the ends of the lowest side
    return { title, x: Math.cos(angle), y: Math.sin(angle) };
  });
  const mean = (own: readonly number[], of: 'x' | 'y') =>
    own.reduce((sum, count, k) => sum + count * corners[k]![of], 0) / group!.players;
  const range = (of: 'x' | 'y'): Range => [
    Math.min(...corners.map(corner => corner[of])),
    Math.max(...corners.map(corner => corner[of])),
  ];
  return {
    placeOf: ([own]) => ({ x: mean(own!, 'x'), y: mean(own!, 'y') }),
    unitPx: 180,
    ranges: { x: range('x'), y: range('y') },
    labels: corners.map(({ title, x, y }) => ({ name: title, x: 1.2 * x, y: 1.2 * y })),
    words: 'At each corner all players have one strategy, between two corners some have one and some the other.',
  };
}

/**
 * Layout by the number of players of each group with the second strategy. Planes of a third group are drawn side by
 * side.
 */
function grid({ groups, strategies }: GameCaseSummary): Layout {
  const [first, , third] = groups;
  const second = strategies[1]!.title;
  const planes = third === undefined ? '' : `, of "${third.name}" from plane to plane`;
  const planeWidth = first!.players + 2;
  const width = first!.players + (third?.players ?? 0) * planeWidth;
  const unitPx = Math.min(groups.length === 1 ? 110 : 150, 640 / Math.max(1, width));
  return {
    placeOf: counts => {
      const [x, y, plane] = counts.map(own => own[1]!);
      return { x: x! + (plane ?? 0) * planeWidth, y: y ?? 0 };
    },
    unitPx,
    labels:
      third === undefined
        ? []
        : Array.from({ length: third.players + 1 }, (_, count) => ({
            name: `${third.name}: ${count}`,
            x: first!.players / 2 + count * planeWidth,
            y: -belowPx / unitPx,
          })),
    words:
      groups.length === 1
        ? `From left to right: 0 to ${first!.players} players with ${second}.`
        : `Players with ${second}: of "${first!.name}" from left to right, of "${groups[1]!.name}" upwards${planes}.`,
  };
}

/**
 * Undefined if two dimensions are not enough (several groups with more than two strategies, or four groups), or if too
 * many states were measured.
 */
export function layoutOf(game: GameCaseSummary): Layout | undefined {
  const { groups, strategies, states } = game;
  if (states.length > mostStates) return undefined;
  if (strategies.length === 2 && groups.length <= 3) return grid(game);
  return strategies.length > 2 && groups.length === 1 ? polygon(game) : undefined;
}
