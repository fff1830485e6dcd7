/**
 * Finds conditions that differ from their baseline in several parts. A change in such a condition may have several
 * causes.
 */
import { counted } from '../../../core/text/counted.ts';
import { listed } from '../../../core/text/listed.ts';
import { isFlood, othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';

/**
 * Maximum number of conditions with the same differences that the text lists by name. For more, it states their number.
 */
const mostNamed = 6;

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

/** Returns the names of the parts in which two conditions differ, such as "flood" and "random loss". */
function differing(a: Condition, b: Condition): string[] {
  return parts.filter(([, of]) => JSON.stringify(of(a)) !== JSON.stringify(of(b))).map(([word]) => word);
}

/** Two conditions that differ in one part only. `word`: name of this part. */
export type OneThing = { condition: Condition; than: Condition; word: string };

type Confounded = { condition: Condition; baseline: Condition; words: string[]; apart: OneThing[] };

/**
 * Finds conditions that separate the effects of the parts `words`, in which a condition differs from its baseline. For
 * each part, a suitable condition differs from `condition` in this part only, and has the baseline's value there. Empty
 * if any part has no such condition.
 */
function separated(condition: Condition, baseline: Condition, words: string[], others: Condition[]): OneThing[] {
  const apart = words.flatMap((word): OneThing[] => {
    const than = others.find(
      other => differing(other, condition).join() === word && !differing(other, baseline).includes(word),
    );
    return than === undefined ? [] : [{ condition, than, word }];
  });
  return apart.length === words.length ? apart : [];
}

/** Returns the conditions that differ from their baseline in several parts. Both must have a valid trial. */
function confounded({ plan, summary }: ReportData): Confounded[] {
  const conditionOf = (id: string) => plan.conditions.find(condition => condition.id === id)!;
  const hasTrial = (id: string) => summary.conditions.find(condition => condition.id === id)!.trials > 0;
  const compared = plan.conditions.filter(({ id }) => hasTrial(id));
  return summary.comparisons.flatMap(({ condition: id, baseline: baseId }) => {
    if (!hasTrial(id) || !hasTrial(baseId)) return [];
    const [condition, baseline] = [conditionOf(id), conditionOf(baseId)];
    const words = differing(condition, baseline);
    return words.length < 2
      ? []
      : [{ condition, baseline, words, apart: separated(condition, baseline, words, compared) }];
  });
}

/** Returns pairs of conditions that show which of several parts had an effect. */
export const oneThingApart = (report: ReportData) => confounded(report).flatMap(({ apart }) => apart);

/**
 * Returns a note on conditions that differ from their baseline in several parts. Null if there are none with valid
 * trials.
 */
export function confoundedNote(report: ReportData): Html | null {
  const groups = new Map<string, { titles: string[]; said: string; isSeparated: boolean }>();
  for (const { condition, baseline, words, apart } of confounded(report)) {
    const [said, isSeparated] = [`from ${baseline.title} in ${listed(words)} at once`, apart.length > 0];
    const group = groups.get(`${said} ${isSeparated}`) ?? { titles: [], said, isSeparated };
    group.titles.push(condition.title);
    groups.set(`${said} ${isSeparated}`, group);
  }
  const saidOf = (isSeparated: boolean) =>
    [...groups.values()]
      .filter(group => group.isSeparated === isSeparated)
      .map(({ titles, said }) => {
        const which = titles.length > mostNamed ? counted(titles.length, 'condition') : listed(titles);
        return `${which} ${titles.length === 1 ? 'differs' : 'differ'} ${said}`;
      })
      .join('; ');
  const [together, apart] = [saidOf(false), saidOf(true)];
  if (together === '' && apart === '') return null;
  return html`<p class="note">${[
    ...(together === '' ? [] : [`${together}, so their effects cannot be separated.`]),
    ...(apart === '' ? [] : [`${apart}; rows with "only" in the table of differences have the effect of each.`]),
  ].join(' ')}</p>`;
}
