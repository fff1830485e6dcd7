/** The result in words, before any figure: what the viewer saw, and what of that the condition did to them. */
import { object } from '../../../core/schema.ts';
import { subjectOf } from '../../../harness/experiment/conditions.ts';
import type { Condition } from '../../../harness/experiment/conditions.ts';
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { floodLabel } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { effectsSaid } from './effects.ts';
import { said } from './said.ts';
import { stalls } from './stalls.ts';

/** Motion is fluent where the harmonic rate is this share of the pictures that were taken at least: it weighs each moment by its rate, so quick pictures do not make up for a wait. */
const fluentShare = 0.9;
/** And where no trial had a longer time without a new picture than this, ms: six periods at 60 pictures a second. */
const fluentGapMs = 100;

/** How the picture moved: by the pictures that were shown, against those that were taken where the service says how many; by those decoded where nothing else is known. */
function motion({ id, metrics }: ConditionSummary, condition: Condition, { summary }: ReportData): string {
  const isShown = metrics['frame-rate']!.value !== null;
  const rate = metrics[isShown ? 'frame-rate' : 'decoded-frame-rate']!;
  const { frameRate } = subjectOf(condition).service.params as { frameRate?: unknown };
  const told = `${said(rate, '1/s')}${isShown ? '' : ' decoded'}`;
  const harmonic = metrics['frame-rate-harmonic']!;
  if (typeof frameRate !== 'number' || rate.value === null) return told;
  if (harmonic.value === null) return `${told} of ${frameRate}`;
  const longestMs = Math.max(...summary.trials.flatMap(trial => (trial.condition === id ? trial.metrics?.['frame-gap-max'] ?? [] : [])));
  const isFluent = harmonic.value >= fluentShare * frameRate && longestMs <= fluentGapMs;
  return `${isFluent ? 'fluent' : 'uneven'} motion, ${told} of ${frameRate} on average, ${said(harmonic, '1/s')} in the harmonic mean`;
}

function sentence(summary: ConditionSummary, report: ReportData): Html {
  const condition = report.plan.conditions.find(c => c.id === summary.id)!;
  const name = html`<b>${condition.title}</b> (${floodLabel(condition, report)}, n = ${summary.trials})`;
  if (summary.trials === 0) return html`<p>${name}: no trial counts${summary.voided > 0 ? `, ${summary.voided} ${summary.voided === 1 ? 'was' : 'were'} voided` : ''}.</p>`;
  const comparison = report.summary.comparisons.find(other => other.condition === summary.id);
  const latency = summary.metrics['frame-latency-median']!;
  return html`<p>${name}: the viewer saw ${motion(summary, condition, report)}; ${stalls(summary, report)}. The stream had ${said(summary.metrics['media-goodput']!, 'bit/s')}${
    latency.value === null ? '' : `, its pictures were ${said(latency, 'ms')} old`}, and the mean round trip was ${said(summary.metrics['rtt-mean']!, 'ms')}. ${comparison === undefined ? null : effectsSaid(comparison, report)}</p>`;
}

const share = ({ trials, voided }: ConditionSummary) => voided / (trials + voided);

/** What did not count, and a warning where that is more frequent in one condition than in another. */
function voided({ summary }: ReportData): Html | null {
  const tried = summary.conditions.filter(({ trials, voided: tries }) => trials + tries > 0);
  const count = tried.reduce((sum, { voided: tries }) => sum + tries, 0);
  if (count === 0) return null;
  const isUneven = new Set(tried.map(share)).size > 1;
  const told = html`${count} ${count === 1 ? 'try was' : 'tries were'} voided and ${count === 1 ? 'is' : 'are'} not in any number here`;
  if (!isUneven) return html`<p class="note">${told}; the reasons stand under Table 1.</p>`;
  return html`<p class="note warning"><b>Voided unevenly:</b> ${tried.map(condition => `${condition.title} ${condition.voided} of ${condition.trials + condition.voided} tries`).join(', ')}. ${told}. What voids a try can depend on the condition,
so the trials that count may not stand for all: under Table 1 are the reasons, and the medians of every measured try.</p>`;
}

export const plugin: ReportSection = {
  id: 'verdict',
  title: 'What the viewer saw',
  source: 'own',
  params: object({}),
  order: 10,
  async render(report) {
    return html`<div class="verdict">${voided(report)}${report.summary.conditions.map(summary => sentence(summary, report))}</div>`;
  },
};
