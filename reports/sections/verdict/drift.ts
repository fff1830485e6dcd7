/**
 * Sentences on conditions that had not settled: their goodput or round trip still changed within the window, so that
 * the means depend on the length of the window.
 */
import { counted } from '../../../core/text/counted.ts';
import { type Estimate, leastConfidence } from '../../../core/vocabulary/estimate.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { formatChangeWithInterval } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData } from '../../report.ts';

/** Smallest change that the report mentions, as a share of the mean over the window. */
const leastShare = 0.1;

type Told = { name: string; unit: string; drift: Estimate | undefined; level: Estimate | undefined };

const toldOf = ({ metrics, together }: ConditionSummary): Told[] => [
  { name: 'goodput', unit: 'bit/s', drift: metrics['goodput-drift'], level: metrics['goodput'] },
  { name: 'round trip', unit: 'ms', drift: metrics['rtt-drift'], level: metrics['rtt-mean'] },
  { name: 'goodput of the others', unit: 'bit/s', drift: together['goodput-drift'], level: together['goodput'] },
];

/**
 * Describes a change within the window: "goodput still falling at the end (−1.10 Mbit/s [−1.30, −0.90])". With too few
 * trials for a 95 % interval it says only that all trials changed alike. Null if the interval contains 0, or if the
 * change is small.
 */
function driftWords({ name, unit, drift, level }: Told): string | null {
  const { value = null, low = null, high = null, confidence = null, n = 0 } = drift ?? {};
  if (value === null || low === null || high === null || (low <= 0 && high >= 0)) return null;
  if (Math.abs(value) < leastShare * Math.abs(level?.value ?? 0)) return null;
  const size = `(${formatChangeWithInterval({ value, low, high, n }, unit)})`;
  return (confidence ?? 0) >= leastConfidence
    ? `${name} still ${value < 0 ? 'falling' : 'rising'} at the end ${size}`
    : `${name} ${value < 0 ? 'lower' : 'higher'} in the second half in all ${counted(n, 'trial')} ${size}`;
}

/** Returns a sentence for each condition that had not settled. */
export function driftSentences({ summary }: Pick<ReportData, 'summary'>): string[] {
  return summary.conditions.flatMap(own => {
    const words = toldOf(own).flatMap(told => driftWords(told) ?? []);
    return words.length === 0 ? [] : [`${own.title}: ${words.join('; ')}.`];
  });
}

/** Returns a note with these sentences. Null if there are none. */
export function driftNote(report: Pick<ReportData, 'summary'>): Html | null {
  const sentences = driftSentences(report);
  if (sentences.length === 0) return null;
  return html`<p class="note" id="not-settled"><b>Not settled:</b> ${sentences.join(' ')} Brackets: second half of the
window minus first half, median over trials. Values of these conditions depend on the length of the window.</p>`;
}
