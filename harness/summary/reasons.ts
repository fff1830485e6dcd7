/** Why tries do not count, or count as disturbed: what they have in common, without the numbers of each. */
import type { ConditionSummary, TrialSummary } from './summary.ts';

/** "the media server was held up for ... ms". */
const withoutNumbers = (message: string) => message.replace(/\d+(?:[.,]\d+)?/g, '\u2026');

/** Of the tries of one condition; a reason that a try has twice counts once. */
export function reasonsOf(tries: readonly TrialSummary[]): ConditionSummary['reasons'] {
  const counts = new Map<string, ConditionSummary['reasons'][number]>();
  for (const { verdict } of tries) {
    const own = new Map(verdict.findings.flatMap(({ status, message }) => (status === 'note' ? [] : [[`${status} ${withoutNumbers(message)}`, { status, text: withoutNumbers(message) }]])));
    for (const [key, reason] of own) counts.set(key, { ...reason, tries: (counts.get(key)?.tries ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.tries - a.tries);
}
