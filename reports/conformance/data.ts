/** Data of the report of a conformance study, and words that its sections share. */
import { formatDuration } from '../../core/text/units.ts';
import type { Versions } from '../../harness/record/versions.ts';
import type { Measure } from '../../harness/studies/conformance/analysis/measures.ts';
import type { Verdict } from '../../harness/studies/conformance/analysis/verdict.ts';
import type { ConformancePlan } from '../../harness/studies/conformance/plan.ts';
import type { Shown } from '../../harness/studies/conformance/summarise.ts';
import type { CellSummary, ConformanceSummary, JudgedExpectation } from '../../harness/studies/conformance/summary.ts';
import { formatValue, quantityOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { JudgedReport } from '../judged-report.ts';

export type ConformanceReport = JudgedReport & {
  plan: ConformancePlan;
  versions: Versions;
  createdMs: number;
  summary: ConformanceSummary;
  /** Course of one trial of each condition that has a valid trial. */
  shown: Shown;
  /** Measures with their rules. `bound`: the bound that holds where a case sets none; empty if there is none. */
  rules: readonly (Pick<Measure, 'id' | 'title' | 'requirement' | 'rule' | 'reason'> & { bound: string })[];
};

/** Signs of the verdicts. Shape and word carry the verdict; the colour (blue, orange, grey) only repeats it. */
const signs: Readonly<Record<Verdict, string>> = { passed: '\u2713', failed: '\u2717', undecided: '?' };

export const verdictHtml = (verdict: Verdict): Html => html`<b class="${verdict}">${signs[verdict]} ${verdict}</b>`;

/** Address of a cell in the report. */
export const anchorOf = ({ case: id, sender }: CellSummary): string => `cell-${id}-${sender}`;

/** Returns the bounds in words: "at most 100 ms", "300 kbit/s to 700 kbit/s". */
export function boundWords({ atLeast, atMost }: Pick<JudgedExpectation, 'atLeast' | 'atMost'>, unit: string): string {
  if (atLeast !== null && atMost !== null) return `${formatValue(atLeast, unit)} to ${formatValue(atMost, unit)}`;
  return atLeast === null ? `at most ${formatValue(atMost, unit)}` : `at least ${formatValue(atLeast, unit)}`;
}

export const spanWords = ({ fromMs, toMs }: Pick<JudgedExpectation, 'fromMs' | 'toMs'>): string =>
  `${formatDuration(fromMs)} to ${formatDuration(toMs)}`;

/** How far a median is beyond the nearest bound, as a share of the bound; below 0 if it keeps the bounds. */
function excess({ estimate: { value }, atLeast, atMost }: JudgedExpectation): number {
  const beyond = [
    ...(atMost === null ? [] : [(value! - atMost) / (Math.abs(atMost) || 1)]),
    ...(atLeast === null ? [] : [(atLeast - value!) / (Math.abs(atLeast) || 1)]),
  ];
  return Math.max(...beyond);
}

/**
 * Returns the expectation that decides a cell: of those with the verdict of the cell, the one that is furthest beyond
 * its bound, or nearest to it.
 */
export const decisive = ({ verdict, expectations }: CellSummary): JudgedExpectation | undefined =>
  expectations.filter(one => one.verdict === verdict).sort((a, b) => excess(b) - excess(a))[0];

/** Returns an expectation in a few words: "Queue delay, 95th percentile 142 ms, at most 100 ms". */
export function expectationWords(
  one: JudgedExpectation,
  { quantities }: Pick<ConformanceSummary, 'quantities'>,
): string {
  const { title, unit } = quantityOf(quantities, one.measure);
  return `${title} ${formatValue(one.estimate.value, unit)}, ${boundWords(one, unit)}`;
}
