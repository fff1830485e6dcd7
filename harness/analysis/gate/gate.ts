/** Judges the results of a study of any kind by the thresholds and claims of its definition. */
import type { Results } from '../summary/results.ts';
import { type JudgedClaim, judgeClaims, resolveClaims } from './claims.ts';
import type { Gated } from './gated.ts';
import { judgeThresholds, type Outcome } from './judge.ts';
import { resolveThresholds, type Threshold } from './threshold.ts';

export type Judged = {
  /** Outcome of each threshold in each condition. */
  thresholds: Outcome[];
  /** Verdict on each claim. */
  claims: JudgedClaim[];
};

/** Throws `bad-definition` if a threshold or claim is wrong. Returns the thresholds. */
export function requireSound(gated: Gated): readonly Threshold[] {
  resolveClaims(gated, gated.quantities);
  return resolveThresholds(gated, gated.quantities);
}

export function judgeResults(gated: Gated, results: Pick<Results, 'conditions' | 'trials'>): Judged {
  return {
    thresholds: judgeThresholds(resolveThresholds(gated, gated.quantities), results),
    claims: judgeClaims(resolveClaims(gated, gated.quantities), results),
  };
}
