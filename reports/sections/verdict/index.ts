/**
 * The answer, before any figure: one sentence for each condition, then a table of what the viewer saw and one of the
 * differences from the baseline.
 */
import { object } from '../../../core/schema.ts';
import { html } from '../../html.ts';
import { machinesNote } from '../../machines.ts';
import type { ReportSection } from '../../report.ts';
import { confoundedNote } from './confounded.ts';
import { differencesTable } from './differences.ts';
import { numbersTable } from './numbers.ts';
import { sentence } from './sentence.ts';
import { noneValidNote, voidedNote } from './voided.ts';

export const plugin: ReportSection = {
  id: 'verdict',
  title: 'Result',
  source: 'own',
  params: object({}),
  order: 10,
  async render(report) {
    const sentences = report.summary.conditions.map(own =>
      sentence(own, report, (title, rest) => html`<li><b>${title}</b>${rest}</li>`),
    );
    const notes = [voidedNote(report), confoundedNote(report), machinesNote(report)];
    return html`${noneValidNote(report)}<ul class="verdict">${sentences}</ul>
${notes}${numbersTable(report)}${differencesTable(report)}`;
  },
  lines: report => report.summary.conditions.map(own => sentence(own, report, (title, rest) => title + rest)),
};
