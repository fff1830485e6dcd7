/** Why tries do not count, or count as disturbed: what they have in common, without the numbers of each. */
import { withoutNumbers } from '../../../core/vocabulary/void-reasons.ts';
import type { ConditionSummary, TrialSummary } from './summary.ts';

/** Of the tries of one condition; a reason that a try has twice counts once. Of a void one only what voided it. */
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
