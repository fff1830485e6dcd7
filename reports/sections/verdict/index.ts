/** The result in words, before any figure. */
import { object } from '../../../harness/base/schema.ts';
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { formatInterval, formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { floodLabel } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';

/** A value with its interval: "59.9 fps [59.8, 60.0]". */
function said(condition: ConditionSummary, id: string, unit: string): string {
  const value = condition.metrics[id]!;
  return `${formatValue(value.value, unit)}${value.low === null ? '' : ` ${formatInterval(value, unit)}`}`;
}

function sentence(summary: ConditionSummary, report: ReportData): Html {
  const condition = report.plan.conditions.find(c => c.id === summary.id)!;
  const name = html`<b>${condition.title}</b> (${floodLabel(condition, report)}, n = ${summary.trials})`;
  if (summary.trials === 0) return html`<p>${name}: no trial counts${summary.voided > 0 ? `, ${summary.voided} were voided` : ''}.</p>`;
  const stalls = summary.metrics['stall-count']!.value === 0 && summary.metrics['stall-count']!.high === (summary.trials > 1 ? 0 : null)
    ? 'without a stall' : `with ${said(summary, 'stall-count', '')} stalls that took ${said(summary, 'stall-time', 's')}`;
  return html`<p>${name}: the viewer got ${said(summary, 'frame-rate', '1/s')} at ${said(summary, 'media-goodput', 'bit/s')}, ${stalls};
    the longest time without a new picture was ${said(summary, 'frame-gap-max', 'ms')}, the mean round trip ${said(summary, 'rtt-mean', 'ms')}.</p>`;
}

function voided({ summary }: ReportData): Html | null {
  const count = summary.trials.filter(trial => trial.verdict.status === 'invalid').length;
  return count === 0 ? null : html`<p class="note">${count} ${count === 1 ? 'try was' : 'tries were'} voided and ${count === 1 ? 'is' : 'are'} not in any number here; the reasons stand under "Trials".</p>`;
}

export const plugin: ReportSection = {
  id: 'verdict',
  title: 'What the viewer saw',
  source: 'own',
  params: object({}),
  order: 10,
  async render(report) {
    return html`<div class="verdict">${report.summary.conditions.map(summary => sentence(summary, report))}${voided(report)}</div>`;
  },
};
