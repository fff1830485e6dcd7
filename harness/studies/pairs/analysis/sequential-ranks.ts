/**
 * Ranks for an interval of the median that may be checked after every trial. The probability that the interval ever
 * misses the median, at any n up to the last, is at most alpha, for every distribution.
 *
 * The number of values below the median is a walk with distribution Binomial(n, 1/2). The interval from the r-th
 * smallest to the r-th largest value misses the median if this number is below r or above n - r. Dynamic programming on
 * the walk gives the exact probability of a first miss at each n. Alpha is spent over the checks by Pocock's function
 * (Lan and DeMets, Biometrika 1983), and the rank at each n is the largest that the spent part allows. Ranks that are
 * exact for a single n (Conover, section 3.2) would miss in 13 % of all runs if checked after each trial from 6 to 30.
 */

/**
 * Probabilities of the number of values below the median, among runs in which no interval has missed so far. The index
 * is the number.
 */
type Walk = readonly number[];

/** Returns the walk after one more value, which is below the median with probability 1/2. */
function stepped(walk: Walk): number[] {
  const next = Array.from({ length: walk.length + 1 }, () => 0);
  for (const [count, probability] of walk.entries()) {
    next[count]! += probability / 2;
    next[count + 1]! += probability / 2;
  }
  return next;
}

const isMissed = (count: number, n: number, rank: number) => count < rank || count > n - rank;

/**
 * Returns the probability that the interval from the `rank`-th smallest to the `rank`-th largest value misses for the
 * first time after the values of this walk.
 */
function missOf(walk: Walk, rank: number): number {
  const n = walk.length - 1;
  return walk.reduce((sum, probability, count) => (isMissed(count, n, rank) ? sum + probability : sum), 0);
}

const pocock = (alpha: number, fraction: number) => alpha * Math.log(1 + (Math.E - 1) * fraction);

/** Returns the ranks for n = 1, 2, ... `most`. A rank of 0 means that n is too small for an interval. */
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
