/** Reasons why tries are void or degraded. Reasons that differ only in their numbers are merged. */
import { withoutNumbers } from '../../../core/vocabulary/void-reasons.ts';
import type { ConditionSummary, TrialSummary } from './summary.ts';

/**
 * Returns the reasons of the tries of one condition. A reason counts once for each try. Of a void try, only the reasons
 * that made it void count.
 */
export function reasonsOf(tries: readonly TrialSummary[]): ConditionSummary['reasons'] {
  const counts = new Map<string, ConditionSummary['reasons'][number]>();
  for (const { verdict } of tries) {
    const own = new Map(
      verdict.findings.flatMap(({ status, message }) =>
        status === 'note' || status !== verdict.status
          ? []
          : [[`${status} ${withoutNumbers(message)}`, { status, text: withoutNumbers(message) }]],
      ),
    );
    for (const [key, reason] of own) counts.set(key, { ...reason, tries: (counts.get(key)?.tries ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.tries - a.tries);
}
