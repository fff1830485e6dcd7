/** Binomial coefficients, and the sample sizes that a permutation test needs. */

export function choices(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/**
 * Returns the number of trials that each of two runs needs so that one difference alone can have a p value below
 * `level` after correction for `tests` tests. Assumes samples that do not overlap.
 */
export function fewestTrials(level: number, tests: number): number {
  let n = 2;
  while ((2 * Math.max(1, tests)) / choices(2 * n, n) >= level) n++;
  return n;
}
