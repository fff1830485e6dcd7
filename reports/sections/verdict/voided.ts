/** Notes on void tries: that there is no valid trial, or that the valid trials may not be representative. */
import { counted } from '../../../core/text/counted.ts';
import { listed } from '../../../core/text/listed.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { mostNamed } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';

const triedOf = ({ summary }: ReportData) => summary.conditions.filter(({ trials, voided }) => trials + voided > 0);

const share = ({ trials, voided }: ConditionSummary) => voided / (trials + voided);

/** Returns the reasons why tries are void, each with the number of tries, the most frequent reason first. */
function reasonsOf(tried: readonly ConditionSummary[]): [text: string, tries: number][] {
  const counts = new Map<string, number>();
  for (const { status, text, tries } of tried.flatMap(({ reasons }) => reasons))
    if (status === 'invalid') counts.set(text, (counts.get(text) ?? 0) + tries);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Returns the note that there is no valid trial. Null if there is a valid trial, or if no trial was tried. */
export function noneValidNote(report: ReportData): Html | null {
  const tried = triedOf(report);
  if (tried.length === 0 || tried.some(({ trials }) => trials > 0)) return null;
  const count = tried.reduce((sum, { voided }) => sum + voided, 0);
  const tries = (of: number) => `${of} of ${counted(count, 'try', 'tries')}`;
  const reasons = reasonsOf(tried);
  const told = reasons.slice(0, mostNamed).map(([text, of]) => `${text} (${tries(of)})`);
  const more = reasons.length - told.length;
  const isDisturbed = report.summary.trials.some(({ verdict }) =>
    verdict.findings.some(({ kind, status }) => kind === 'host' && status === 'invalid'),
  );
  const isShown = tried.some(({ disturbed }) => disturbed !== null);
  const others = more === 0 ? '' : `; and for ${counted(more, 'more reason')}`;
  const why = told.length === 0 ? '' : `, because ${told.join('; ')}${others}`;
  const all = `${tries(count)} ${count === 1 ? 'is' : 'are'} void${why}`;
  return html`<p class="note warning" id="none-valid"><b>No valid trial:</b> ${all}. So this report has no result.
${isShown ? 'The numbers below are of the least disturbed tries, not for publication.' : null}
${isDisturbed ? 'Close other programs' : 'Fix the causes named above'}, then run
<code>npm run experiment -- --resume</code> with the folder of this report: it runs the missing trials.
<a href="#tries">Tries</a> has the reasons for each condition, docs/faq.md what else helps.</p>`;
}

/** Lists the numbers of void tries by condition: "Wired: 1 of 7 tries; Lossy: 5 of 11 tries; none in Alone". */
function voidWords(tried: readonly ConditionSummary[]): string {
  const words = tried
    .filter(({ voided }) => voided > 0)
    .map(({ title, voided, trials }) => `${title}: ${voided} of ${trials + voided} tries`);
  const without = tried.filter(({ voided }) => voided === 0).map(({ title }) => title);
  const none = without.length <= mostNamed ? listed(without, 'or') : `the ${without.length} other conditions`;
  return [...words, ...(without.length === 0 ? [] : [`none in ${none}`])].join('; ');
}

/**
 * Returns a note on the number of void tries, with a warning if their share differs between conditions. Null if no try
 * or every try is void.
 */
export function voidedNote(report: ReportData): Html | null {
  const tried = triedOf(report);
  const count = tried.reduce((sum, { voided }) => sum + voided, 0);
  if (count === 0 || tried.every(({ trials }) => trials === 0)) return null;
  const total = html`${count} ${count === 1 ? 'try was void and is' : 'tries were void and are'} not in these numbers`;
  if (new Set(tried.map(share)).size === 1)
    return html`<p class="note">${total}; <a href="#tries">the reasons</a> are below Table 1.</p>`;
  return html`<p class="note warning"><b>Void tries are not equally frequent:</b> ${voidWords(tried)}. ${total}.
A condition can itself cause what makes a try void, so the valid trials may not be representative.
<a href="#tries">Below Table 1</a> are the reasons, and the medians of all measured tries.</p>`;
}
