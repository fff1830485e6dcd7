/** Interval for the number of hits in n independent trials with the same probability of a hit. */

/**
 * Returns the central interval of Binomial(n, p) that has at least the probability `confidence`: each tail has at most
 * half of the remaining probability. The distribution is summed exactly, with logarithms, so that large n do not
 * underflow.
 */
export function binomialInterval(n: number, p: number, confidence = 0.99): { low: number; high: number } {
  if (p <= 0) return { low: 0, high: 0 };
  if (p >= 1) return { low: n, high: n };
  const tail = (1 - confidence) / 2;
  const odds = Math.log(p) - Math.log1p(-p);
  let log = n * Math.log1p(-p);
  let below = 0;
  let low: number | undefined;
  for (let k = 0; k < n; k++) {
    below += Math.exp(log);
    if (low === undefined && below > tail) low = k;
    if (below >= 1 - tail) return { low: low!, high: k };
    log += Math.log(n - k) - Math.log(k + 1) + odds;
  }
  return { low: low ?? n, high: n };
}
