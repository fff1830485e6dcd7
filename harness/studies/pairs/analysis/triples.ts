/**
 * Non-transitive triples (Philip et al., SIGCOMM 2024, observation 14 and table 3). In such a triple alpha is unfair to
 * beta and beta to gamma, but alpha is fair to gamma; or alpha is fair to beta and beta to gamma, but alpha is unfair
 * to gamma. A share is undecided if its interval includes the limit of fairness. Triples with an undecided share are
 * not listed.
 */
import type { Interval } from './stopping-rule.ts';

/** Least share that counts as fair. The paper counts a service as a loser below 90 %. */
export const fairFrom = 0.9;

export type Fairness = 'fair' | 'unfair' | 'undecided';

export function fairnessOf(interval: Interval | null): Fairness {
  if (interval === null) return 'undecided';
  return interval.high < fairFrom ? 'unfair' : interval.low >= fairFrom ? 'fair' : 'undecided';
}

type Triple = {
  alpha: string;
  beta: string;
  gamma: string;
  kind: 'unfair, unfair, fair' | 'fair, fair, unfair';
};
export type Triples = {
  found: Triple[];
  /** Number of ordered triples of three different services. */
  all: number;
  /** Number of triples in which all three shares are decided. */
  decidable: number;
};

/**
 * Returns the non-transitive triples. `fairness(incumbent, contender)` returns if the contender is fair to the
 * incumbent.
 */
export function nonTransitiveTriples(
  services: readonly string[],
  fairness: (incumbent: string, contender: string) => Fairness,
): Triples {
  const triples: Triples = { found: [], all: 0, decidable: 0 };
  for (const alpha of services) {
    for (const beta of services) {
      for (const gamma of services) {
        if (new Set([alpha, beta, gamma]).size < 3) continue;
        triples.all++;
        const [first, second, direct] = [fairness(beta, alpha), fairness(gamma, beta), fairness(gamma, alpha)];
        if ([first, second, direct].includes('undecided')) continue;
        triples.decidable++;
        if (first === second && direct !== first)
          triples.found.push({
            alpha,
            beta,
            gamma,
            kind: first === 'unfair' ? 'unfair, unfair, fair' : 'fair, fair, unfair',
          });
      }
    }
  }
  return triples;
}
