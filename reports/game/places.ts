/** Positions of a game's states in its diagram. */
import type { GameCaseSummary, StateSummary } from '../../harness/studies/game/summary.ts';

type Place = { x: number; y: number };
type Range = readonly [low: number, high: number];

/** Layout of the states. Lengths are multiples of `unitPx`. */
type Layout = {
  placeOf: (counts: StateSummary['counts']) => Place;
  unitPx: number;
  /** Ranges that the drawing shows. If undefined, the ranges of the measured states. */
  ranges?: { x: Range; y: Range };
  /**
   * Names of the corners of a polygon, or of the planes side by side, with their places. Empty if states have labels.
   */
  labels: readonly (Place & { name: string })[];
  words: string;
};

/** Vertical distance between the lowest states of a plane and the name of the plane, px. */
const belowPx = 26;

/** Maximum number of states in a diagram. More dots would cover each other. */
const mostStates = 250;

/**
 * Numbers of corners with which no two states have the same place. They are prime: in a regular p-gon with p prime,
 * only the sum of all corners is 0.
 */
const primes = [3, 5, 7, 11, 13];

/**
 * Returns a layout on a regular polygon. Each strategy is a corner, and each state is at the mean of its players'
 * corners. The number of corners is the least of `primes` that is enough for the strategies, so corners may stay unused.
 * Undefined if there are more strategies than the largest of `primes`.
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
 * Returns a layout on a grid. The axes are the numbers of players with the second strategy in the first two groups. The
 * planes for a third group are drawn side by side.
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
 * Returns the layout of a game. Undefined if two dimensions do not suffice (several groups with more than two
 * strategies, or four groups), or if too many states were measured.
 */
export function layoutOf(game: GameCaseSummary): Layout | undefined {
  const { groups, strategies, states } = game;
  if (states.length > mostStates) return undefined;
  if (strategies.length === 2 && groups.length <= 3) return grid(game);
  return strategies.length > 2 && groups.length === 1 ? polygon(game) : undefined;
}
