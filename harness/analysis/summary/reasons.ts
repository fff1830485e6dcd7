/** Reasons why tries are void or degraded, merged by leaving out their numbers. */
import { withoutNumbers } from '../../../core/vocabulary/void-reasons.ts';
import type { ConditionSummary, TrialSummary } from './summary.ts';

/**
 * Reasons of the tries of one condition. A reason counts once for each try. For a void try only the reasons that voided
 * it count.
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
