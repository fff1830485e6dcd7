/** Numbers of choices, and what they allow a permutation test to show. */

export function choices(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/**
 * Trials that each of two runs needs for one difference alone to have a p below `level` among so many tests: as many as
 * samples that lie apart need.
 */
export function fewestTrials(level: number, tests: number): number {
  let n = 2;
  while ((2 * Math.max(1, tests)) / choices(2 * n, n) >= level) n++;
  return n;
}
