/**
 * Symmetric mixed equilibria of a game with one group and two strategies. Each of n players plays the second strategy
 * with probability p, such that both strategies have the same mean payoff: sum over k of Binomial(n - 1, k; p) g(k) =
 * 0. Here g(k) is the gain of a player by a switch to the second strategy when k other players use it.
 */
import type { Evidence } from './evidence.ts';
import { type Game, stateId } from './game.ts';

/**
 * Gains g(k) for k from 0 to n - 1, with linear interpolation between measured points. `measured`: number of measured
 * points.
 */
type DeviationCurve = { gains: number[]; measured: number };

/**
 * Returns the gains g(k). Null if g is unmeasured at k = 0 or k = n - 1, or if the game has several groups or more than
 * two strategies.
 */
export function deviationCurve(game: Game, evidence: Evidence): DeviationCurve | null {
  const [group] = game.groups;
  if (game.groups.length !== 1 || game.strategies.length !== 2) return null;
  const { players } = group!;
  const mean = (k: number, strategy: number) => {
    const { n, mean: value } = evidence.sample(stateId(game, [[players - k, k]]), 0, strategy);
    return n === 0 ? null : value;
  };
  const known = Array.from({ length: players }, (_, k) => {
    const [stayed, switched] = [mean(k, 0), mean(k + 1, 1)];
    return stayed === null || switched === null ? null : switched - stayed;
  });
  if (known[0] === null || known.at(-1) === null) return null;
  const gains = known.map((gain, k) => {
    if (gain !== null) return gain;
    const low = known.findLastIndex((value, j) => j < k && value !== null);
    const high = known.findIndex((value, j) => j > k && value !== null);
    return known[low]! + ((known[high]! - known[low]!) * (k - low)) / (high - low);
  });
  return { gains, measured: known.filter(gain => gain !== null).length };
}

/**
 * Returns the mean gain of a player by a switch to the second strategy if each other player uses it with probability
 * `p`.
 */
function gainAt(gains: readonly number[], p: number): number {
  const others = gains.length - 1;
  let weight = (1 - p) ** others;
  if (p === 1) return gains[others]!;
  let sum = 0;
  for (let k = 0; k <= others; k++) {
    sum += weight * gains[k]!;
    weight *= (((others - k) / (k + 1)) * p) / (1 - p);
  }
  return sum;
}

/**
 * Returns the probabilities of the second strategy at the equilibria, ascending. They include 0 if the state in which
 * all players use the first strategy is an equilibrium, and 1 if the state in which all use the second is one.
 * `isStable`: true if the mean gain falls through 0 at this probability.
 */
export function mixedEquilibria(gains: readonly number[]): { p: number; isStable: boolean }[] {
  const steps = 1000;
  const values = Array.from({ length: steps + 1 }, (_, k) => gainAt(gains, k / steps));
  const found: { p: number; isStable: boolean }[] = values[0]! <= 0 ? [{ p: 0, isStable: true }] : [];
  for (let k = 0; k < steps; k++) {
    const [a, b] = [values[k]!, values[k + 1]!];
    const isEnd = k + 1 === steps && b === 0;
    if (!isEnd && ((a > 0 && b <= 0) || (a < 0 && b >= 0)))
      found.push({ p: (k + a / (a - b)) / steps, isStable: a > 0 });
  }
  if (values[steps]! >= 0) found.push({ p: 1, isStable: true });
  return found;
}
