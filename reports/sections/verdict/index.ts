/** The result in words, before any figure: what the viewer saw, and what of that the condition did to them. */
import { object } from '../../../core/schema.ts';
import type { Condition } from '../../../harness/experiment/conditions.ts';
import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestPairs } from '../../../core/stats/signed-rank.ts';
import type { Comparison, ConditionSummary, PairedTest } from '../../../harness/summary/summary.ts';
import { quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { floodLabel } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { said } from './said.ts';
import { stalls } from './stalls.ts';

/** Below this share of the pictures that were taken, motion is called uneven. A browser on two busy cores leaves out some 5 % of what it decoded, whatever the network does. */
const fluentShare = 0.9;

/** Pairs from which on there is an interval of 95 %, and a p value that can be small. */
const fewest = fewestPairs(significance);

/** What a condition may have changed for the viewer, and how that is called. */
const effects = [
  { id: 'stall-time', more: 'more stalled time', less: 'less stalled time' },
  { id: 'frame-rate', more: 'more pictures', less: 'fewer pictures' },
  { id: 'media-goodput', more: 'a higher bitrate', less: 'a lower bitrate' },
  { id: 'frame-latency-p95', more: 'later pictures (95th percentile)', less: 'earlier pictures (95th percentile)' },
] as const;

/** The pictures that were shown; where nothing tells of them, those that were decoded. */
const presented = { id: 'frame-rate', words: '' };
const decoded = { id: 'decoded-frame-rate', words: ' decoded' };

/** How the picture moved: by pictures a second, against those that were taken where the service says how many. */
function motion({ metrics }: ConditionSummary, { service }: Condition): string {
  const { id, words } = metrics[presented.id]!.value === null ? decoded : presented;
  const rate = metrics[id]!;
  const { frameRate } = service.params as { frameRate?: unknown };
  const told = `${said(rate, '1/s')}${words}`;
  if (typeof frameRate !== 'number' || rate.value === null) return told;
  return rate.value >= fluentShare * frameRate ? `fluent motion, ${told} of ${frameRate}` : `uneven motion, ${told} of ${frameRate}`;
}

/** What is said of an effect whose interval the tests of the whole study do not bear out. */
function afterCorrection({ pairs, correctedP }: PairedTest): string {
  const holds = pairs < fewest || correctedP === null || correctedP < significance;
  return holds ? '' : ', which can be chance among so many comparisons';
}

/** What the interval of the paired difference shows beyond chance of these trials. */
function effect({ baseline, difference, tests }: Comparison, { summary }: ReportData): Html {
  const { title } = summary.conditions.find(({ id }) => id === baseline)!;
  const judged = effects.map(one => (one.id === presented.id && difference[one.id]!.n === 0 ? { ...one, id: decoded.id } : one));
  const pairs = Math.max(...judged.map(({ id }) => difference[id]!.n));
  if (pairs < 2) return html`Against ${title} there ${pairs === 1 ? 'is one pair of trials: no interval, so nothing is claimed' : 'is no pair of trials'}.`;
  const shown = judged.flatMap(({ id, more, less }) => {
    const value = difference[id]!;
    if (value.low === null || value.high === null || (value.low <= 0 && value.high >= 0)) return [];
    return [`${value.low > 0 ? more : less} (${said(value, quantityOf(summary.quantities, id).unit)}${afterCorrection(tests[id]!)})`];
  });
  const few = pairs < fewest ? ', too few for a 95 % interval' : '';
  if (shown.length === 0) return html`Against ${title}, ${pairs} pairs of trials show no difference in stalls, pictures, bitrate or latency${few}.`;
  return html`Against ${title}: ${shown.join(', ')}; paired differences, n = ${pairs}${few}${few === '' ? '' : ': brackets are their range'}.`;
}

function sentence(summary: ConditionSummary, report: ReportData): Html {
  const condition = report.plan.conditions.find(c => c.id === summary.id)!;
  const name = html`<b>${condition.title}</b> (${floodLabel(condition, report)}, n = ${summary.trials})`;
  if (summary.trials === 0) return html`<p>${name}: no trial counts${summary.voided > 0 ? `, ${summary.voided} ${summary.voided === 1 ? 'was' : 'were'} voided` : ''}.</p>`;
  const comparison = report.summary.comparisons.find(other => other.condition === summary.id);
  const latency = summary.metrics['frame-latency-median']!;
  return html`<p>${name}: the viewer saw ${motion(summary, condition)}; ${stalls(summary, report)}. The stream had ${said(summary.metrics['media-goodput']!, 'bit/s')}${
    latency.value === null ? '' : `, its pictures were ${said(latency, 'ms')} old`}, and the mean round trip was ${said(summary.metrics['rtt-mean']!, 'ms')}. ${comparison === undefined ? null : effect(comparison, report)}</p>`;
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
