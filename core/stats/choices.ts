/** Binomial coefficients, and the sample size that a permutation test needs. */

export function choices(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/**
 * Returns the smallest number of trials per run with which one comparison of two runs can reach p < `level` after
 * correction for `tests` comparisons. The samples must then not overlap at all.
 */
export function fewestTrials(level: number, tests: number): number {
  let n = 2;
  while ((2 * Math.max(1, tests)) / choices(2 * n, n) >= level) n++;
  return n;
}
