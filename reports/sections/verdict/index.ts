/**
 * Section with the answer of the study. It says first if the pairs of trials are too few for a test. It has a sentence
 * and a strip of time for each condition; if there are many conditions, those with smooth motion and no change share
 * sentences. Two tables follow: of what the viewer saw, and of the differences from the baseline.
 */
import { object } from '../../../core/schema/schema.ts';
import { html } from '../../html.ts';
import { machinesNote } from '../../machines.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { confoundedNote } from './confounded.ts';
import { differencesTable } from './differences.ts';
import { driftNote, driftSentences } from './drift.ts';
import { excursionNote, excursionSentences } from './excursions.ts';
import { numbersTable } from './numbers.ts';
import { isLarge, quietOf, sharedSentences } from './quiet.ts';
import { type Sentence, sentence } from './sentence.ts';
import { stripsKey, stripsOf } from './strips.ts';
import { untestableNote, untestableSentence } from './untestable.ts';
import { noneValidNote, voidedNote } from './voided.ts';

function sentencesOf(report: ReportData): Sentence[] {
  const { conditions } = report.summary;
  if (!isLarge(report)) return conditions.map(own => sentence(own, report));
  const quiet = quietOf(report);
  const loud = conditions.filter(own => !quiet.includes(own)).map(own => sentence(own, report, { isShort: true }));
  return [...loud, ...sharedSentences(quiet, report)];
}

export const plugin: ReportSection = {
  id: 'verdict',
  title: 'Result',
  source: 'own',
  params: object({}),
  order: 10,
  async render(report) {
    const strips = stripsOf(report);
    const sentences = sentencesOf(report).map(({ title, said, condition, isDisturbed = false }) => {
      const classes = isDisturbed ? html` class="disturbed"` : null;
      return html`<li${classes}><span><b>${title}</b>${said}</span>${strips.get(condition ?? '')}</li>`;
    });
    const notes = [
      voidedNote(report),
      excursionNote(report),
      driftNote(report),
      confoundedNote(report),
      machinesNote(report),
    ];
    return html`${noneValidNote(report)}${untestableNote(report)}<ul class="verdict">${sentences}</ul>
${stripsKey(report, strips)}${notes}${numbersTable(report)}${differencesTable(report)}`;
  },
  lines: report => [
    ...[untestableSentence(report)].filter(said => said !== null),
    ...sentencesOf(report).map(({ title, said }) => `${title}${said}`),
    ...excursionSentences(report).map(said => `rare: ${said}`),
    ...driftSentences(report).map(said => `not settled: ${said}`),
  ],
};
