/**
 * The answer, before any figure: one sentence for each condition, then what the viewer saw and what differs from the
 * baseline as tables.
 */
import { object } from '../../../core/schema.ts';
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { machinesNote } from '../../machines.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { confoundedNote } from './confounded.ts';
import { differencesTable } from './differences.ts';
import { numbersTable } from './numbers.ts';
import { sentence } from './sentence.ts';

const share = ({ trials, voided }: ConditionSummary) => voided / (trials + voided);

/** "Wired: 1 of 7 tries, Lossy: 5 of 11 tries, none in the others". */
function voidWords(tried: readonly ConditionSummary[]): string {
  const words = tried
    .filter(({ voided }) => voided > 0)
    .map(({ title, voided, trials }) => `${title}: ${voided} of ${trials + voided} tries`);
  const without = tried.length - words.length;
  return [...words, ...(without === 0 ? [] : [`none in the other${without === 1 ? '' : 's'}`])].join('; ');
}

/** How many tries are void, and a warning where they are more frequent in one condition than in another. */
function voidedNote({ summary }: ReportData): Html | null {
  const tried = summary.conditions.filter(({ trials, voided }) => trials + voided > 0);
  const count = tried.reduce((sum, { voided }) => sum + voided, 0);
  if (count === 0) return null;
  const total = html`${count} ${count === 1 ? 'try was void and is' : 'tries were void and are'} not in these numbers`;
  if (new Set(tried.map(share)).size === 1)
    return html`<p class="note">${total}; <a href="#tries">the reasons</a> are below Table 1.</p>`;
  return html`<p class="note warning"><b>Void tries are not equally frequent:</b> ${voidWords(tried)}. ${total}. A condition can itself cause
what makes a try void, so the valid trials may not be representative. <a href="#tries">Below Table 1</a> are the reasons, and the medians of all measured tries.</p>`;
}

export const plugin: ReportSection = {
  id: 'verdict',
  title: 'Result',
  source: 'own',
  params: object({}),
  order: 10,
  async render(report) {
    return html`<ul class="verdict">${report.summary.conditions.map(own => sentence(own, report))}</ul>${voidedNote(report)}${confoundedNote(report)}${machinesNote(report)}${numbersTable(report)}${differencesTable(report)}`;
  },
};
