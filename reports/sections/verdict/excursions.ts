/**
 * Sentences on rare excursions of the round trip: in a few trials it was long for over a second, which the median over
 * the trials does not show.
 */
import { excursionMs } from '../../../core/vocabulary/excursion.ts';
import { baseRttOf, pathOf } from '../../../core/vocabulary/link.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { formatValue } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';

/** Shortest excursion in the report, s. */
const leastS = 1;

type Reported = Pick<ReportData, 'plan' | 'summary'>;

/** Describes the excursions of a condition. Null if there are none, or if most trials have one. */
function excursionWords(own: ConditionSummary, { plan, summary }: Reported): string | null {
  const longest = summary.trials.flatMap(({ condition, metrics }) =>
    condition === own.id ? (metrics?.['rtt-excursion'] ?? []) : [],
  );
  const over = longest.filter(seconds => seconds > leastS);
  if (over.length === 0 || 2 * over.length > longest.length) return null;
  const { link, subject } = plan.conditions.find(({ id }) => id === own.id)!;
  const limitMs = excursionMs + baseRttOf(pathOf(link.paths, subject));
  return (
    `in ${over.length} of ${longest.length} trials the round trip exceeded ${formatValue(limitMs, 'ms')} for over a second` +
    `, at most ${formatValue(Math.max(...over), 's')}`
  );
}

/** Returns a sentence for each condition of which at most half of the trials have such an excursion. */
export function excursionSentences(report: Reported): string[] {
  return report.summary.conditions.flatMap(own => {
    const words = excursionWords(own, report);
    return words === null ? [] : [`${own.title}: ${words}.`];
  });
}

/** Returns a note with these sentences. Null if there are none. */
export function excursionNote(report: Reported): Html | null {
  const sentences = excursionSentences(report);
  return sentences.length === 0
    ? null
    : html`<p class="note" id="rare"><b>Rare, and in no median:</b> ${sentences.join(' ')}</p>`;
}
