/**
 * Sentence on differences that the pairs of trials are too few to test. It stands above all others, because it is about
 * the whole study; sentences and tables mark such a difference with two words.
 */

import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';
import { listed } from '../../../core/text/listed.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';
import { isUntestable, judged, notTestable } from './effects.ts';

/** Returns the sentence. Null if every primary difference can be tested. */
export function untestableSentence(report: Pick<ReportData, 'plan' | 'summary'>): string | null {
  const tests = report.summary.comparisons
    .flatMap(comparison => judged(comparison, report))
    .flatMap(({ test, isSecondary }) => (!isSecondary && isUntestable(test) ? [test] : []));
  if (tests.length === 0) return null;
  const pairs = [...new Set(tests.map(test => test.pairs))].sort((a, b) => a - b);
  // the primary metrics of all comparisons are one family
  const { among } = tests[0]!;
  return (
    `${listed(pairs.map(String), 'or')} pairs are too few for a corrected test of a single difference: with ${among} ` +
    `tests, a change in only one of them needs ${fewestPairs(significance / among)} pairs to be significant, however ` +
    `large it is. Such a difference is marked "${notTestable}".`
  );
}

export function untestableNote(report: Pick<ReportData, 'plan' | 'summary'>): Html | null {
  const said = untestableSentence(report);
  return said === null ? null : html`<p id="too-few-pairs">${said}</p>`;
}
