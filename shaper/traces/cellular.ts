/** Rows of cellular links, for their generators: a log-normal rate that changes slowly, and a delay with jitter. */
import type { MakeOptions } from './generators.ts';
import { byRank, logNormal, rounded, slowScores } from './noise.ts';
import type { TableRow } from './table.ts';

const stepMs = 100;

type CellularLink = {
  /** Median rate of each direction, Mbit/s. */
  mbps: { down: number; up: number };
  /** Standard deviation of the logarithm of the rate, and time in which its correlation falls to 1/e, ms. */
  sigma: number;
  changesMs: number;
  /** Median round-trip time, ms, and standard deviation of its logarithm. */
  rttMs: number;
  jitterSigma: number;
};

/** Makes the rows of a direction. Each direction has half of the round-trip time, with one jitter for both. */
export function cellularRows(
  { mbps, sigma, changesMs, rttMs, jitterSigma }: CellularLink,
  { lengthMs, direction, random }: MakeOptions,
): TableRow[] {
  const count = Math.ceil(lengthMs / stepMs);
  const rates = byRank(
    slowScores(random(`rate ${direction}`), count, changesMs / stepMs),
    logNormal(mbps[direction], sigma),
  );
  const rtts = byRank(slowScores(random('delay'), count, 2), logNormal(rttMs, jitterSigma));
  return [
    ...rates.map((rate, k) => ({
      atMs: k * stepMs,
      rateBps: Math.round(rate * 1e3) * 1e3,
      delayMs: rounded(rtts[k]! / 2, 2),
    })),
    { atMs: count * stepMs },
  ];
}
