/**
 * The answer, before any figure: one sentence for each condition, then what the viewer saw and what differs from the
 * baseline as tables.
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
    return html`${noneValidNote(report)}<ul class="verdict">${report.summary.conditions.map(own => sentence(own, report))}</ul>${voidedNote(report)}${confoundedNote(report)}${machinesNote(report)}${numbersTable(report)}${differencesTable(report)}`;
  },
};
