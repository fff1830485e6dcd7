/** Values that a payoff can have. No bound of a mean or of a gain lies outside of them. */

/** Smallest and largest possible value, in the unit of the payoff. */
export type Range = { least: number; most: number };

/** Range of a payoff without limits. */
export const unlimited: Range = { least: -Infinity, most: Infinity };

/** Units of quantities that cannot be negative. Others, such as a score, have limits of their own. */
const neverNegative = ['bit/s', 'ms', 's', '1/s', '1/min', 'ratio', 'px', 'bytes', 'cores'];

type Payoff = { unit: string; better: 'higher' | 'lower' | null };

/**
 * Returns the range of the mean payoff of each of `players` players. Together they have at most the rate of the link; a
 * ratio is at most 1. `rateBps`: highest rate of the link, bit/s; null if unknown. If lower values are better, payoffs
 * have the opposite sign, and so has the range.
 */
export function payoffRange({ unit, better }: Payoff, rateBps: number | null, players: number): Range {
  if (!neverNegative.includes(unit)) return unlimited;
  const most = unit === 'ratio' ? 1 : unit === 'bit/s' && rateBps !== null ? rateBps / players : Infinity;
  return better === 'lower' ? { least: -most, most: 0 } : { least: 0, most };
}

/** Returns the range of a payoff after a switch minus the payoff before it. */
export const gainRange = (stayed: Range, switched: Range): Range => ({
  least: switched.least - stayed.most,
  most: switched.most - stayed.least,
});

/**
 * Moves bounds into the range. `estimate` stays between the bounds: a mean may lie slightly outside of the range, because
 * counters are read some milliseconds beside the ends of the window.
 */
export const within = (
  { low, high }: { low: number; high: number },
  { least, most }: Range,
  estimate: number,
): { low: number; high: number } => ({
  low: Math.min(estimate, Math.max(low, least)),
  high: Math.max(estimate, Math.min(high, most)),
});
