/** Conditions that differ from their baseline in more than one thing: their changes may have more than one reason. */
import { counted } from '../../../core/counted.ts';
import { isFlood, othersOf, subjectOf } from '../../../core/subject.ts';
import type { Condition } from '../../../harness/experiment/conditions.ts';
import { listed } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ReportData } from '../../report.ts';

/** Of more than so many that differ alike, the number is said instead of their names. */
const mostNamed = 6;

/** What a condition consists of, each with the word for it. */
const parts: readonly [word: string, of: (condition: Condition) => unknown][] = [
  ['flood', condition => othersOf(condition).filter(isFlood)],
  ['other applications', condition => othersOf(condition).filter(application => !isFlood(application))],
  ['service', condition => subjectOf(condition)],
  ['random loss', ({ link }) => link.loss],
  ['rate', ({ link: { rateBps, schedule, trace } }) => ({ rateBps, schedule, trace })],
  ['queue', ({ link: { queue, aqm, ecn } }) => ({ queue, aqm, ecn })],
  ['path delay', ({ link, subject }) => link.paths[subject]],
  ['return path', ({ link }) => link.up],
];

/** "flood", "random loss": in what two conditions are not the same. */
function differing(a: Condition, b: Condition): string[] {
  return parts.filter(([, of]) => JSON.stringify(of(a)) !== JSON.stringify(of(b))).map(([word]) => word);
}

/** Null where each condition differs from its baseline in one thing, or has no trial to compare. */
export function confoundedNote({ plan, summary }: ReportData): Html | null {
  const conditionOf = (id: string) => plan.conditions.find(condition => condition.id === id)!;
  const groups = new Map<string, string[]>();
  const trialsOf = (id: string) => summary.conditions.find(condition => condition.id === id)!.trials;
  for (const { condition, baseline } of summary.comparisons) {
    if (trialsOf(condition) === 0 || trialsOf(baseline) === 0) continue;
    const words = differing(conditionOf(condition), conditionOf(baseline));
    if (words.length < 2) continue;
    const key = `${listed(words)} from ${conditionOf(baseline).title}`;
    groups.set(key, [...(groups.get(key) ?? []), conditionOf(condition).title]);
  }
  if (groups.size === 0) return null;
  const said = [...groups].map(([key, titles]) => {
    const [words, from] = key.split(' from ');
    const which = titles.length > mostNamed ? counted(titles.length, 'condition') : listed(titles);
    return `${which} ${titles.length === 1 ? 'differs' : 'differ'} from ${from} in ${words} at once`;
  });
  return html`<p class="note">${said.join('; ')}, so their effects cannot be separated.</p>`;
}
