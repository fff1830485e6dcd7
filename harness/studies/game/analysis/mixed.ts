/**
 * Symmetric mixed equilibrium of a single group with two strategies. Each player plays the second strategy with
 * probability p, so that both have the same mean payoff: sum over k of Binomial(n - 1, k; p) g(k) = 0. Here g(k) is the
 * gain of the next player by the second strategy when k players use it.
 */
import type { Evidence } from './evidence.ts';
import { type Game, stateId } from './game.ts';

/** g at every k from 0 to n - 1, with linear interpolation. `measured`: number of measured points. */
type DeviationCurve = { gains: number[]; measured: number };

/** Returns null if g is unmeasured at an end, or if the game has several groups or more strategies. */
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

/** Returns the mean gain by the second strategy if all others play it with probability p. */
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
 * Returns the equilibrium probabilities of the second strategy, ascending. They include 0 and 1 if playing a single
 * strategy is an equilibrium. `isStable`: g falls through 0 at this point.
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
