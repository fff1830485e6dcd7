/** Section with the paper's Table 1: measured values next to published values, and further metrics. */
import { object } from '../../../core/schema/schema.ts';
import { pairsOf } from '../../../core/vocabulary/trial-pairs.ts';
import { conditionCell, shownAs, shownValue } from '../../disturbed.ts';
import { formatChangeWithInterval } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { type Named, ofOthers, titleOf } from '../../named.ts';
import { publishedValue } from '../../published.ts';
import {
  bracketsLine,
  conditionLabel,
  conditionsLine,
  isWithoutTrials,
  type ReportData,
  type ReportSection,
  trialCounts,
} from '../../report.ts';
import { isCall, withSubjectRates } from '../../subject-rate.ts';
import { valueCell } from '../../value-cell.ts';
import { triesTable } from './tries.ts';

/** Values of the rows, in the order of the paper. Values that the paper does not have follow. */
const rows = [
  'goodput',
  ofOthers('goodput'),
  'rtt-mean',
  'rtt-p95',
  'frame-rate',
  'decoded-frame-rate',
  'stall-time',
  'stall-rate',
  'stall-share',
  'harm-factor',
  'freeze-rate',
  'freeze-share',
  'frame-gap-max',
  'frame-latency-median',
  'frame-latency-p95',
  'jitter-mean',
  'loss',
  'jain-index',
  'link-utilisation',
];

/** Metrics whose rows are shown only if a condition has a value. */
const furtherRows = [
  'frame-rate-harmonic',
  'frame-rate-low',
  'frame-height',
  'high-delay-packets',
  'vmaf-mean',
  'g1072-score',
];

/**
 * Returns the cell for the stalled time relative to the baseline: the factor, or the difference if a trial of the
 * baseline has 0 s. The section "verdict" shows the same difference.
 */
function harmCell(report: ReportData, condition: string): Html {
  const comparison = report.summary.comparisons.find(c => c.condition === condition);
  if (comparison === undefined) return html`<td>\u2013<small>the baseline</small></td>`;
  const factor = comparison.factor['stall-time']!;
  if (factor.value !== null) return valueCell(factor, '');
  const { pairs, shift } = comparison.tests['stall-time']!;
  if (pairs === 0) return html`<td>\u2013<small>no pair of trials</small></td>`;
  const of = { id: condition, baseline: comparison.baseline };
  const without = pairsOf(of, report.summary.trials, 'stall-time').filter(({ base }) => base === 0).length;
  const all = pairs === 1 ? 'its one trial' : `all ${pairs} pairs`;
  const why = `the baseline has 0 s in ${without === pairs ? all : `${without} of ${pairs} pairs`}`;
  const difference = formatChangeWithInterval(shift, 's');
  return html`<td>undefined<small>${why}; difference ${difference}</small></td>`;
}

/**
 * True if the row is shown. A row without values is left out if the subject is not a call and the paper has no values
 * either.
 */
function isWanted(row: Named, { summary, plan, reference }: ReportData): boolean {
  const hasCall = plan.conditions.some(isCall);
  if (row === 'harm-factor') return hasCall && summary.comparisons.length > 0;
  return (
    hasCall ||
    summary.conditions.some(condition => shownValue(condition, row) !== null) ||
    plan.conditions.some(({ id }) => publishedValue(reference, plan, row, id) !== undefined)
  );
}

export const plugin: ReportSection = {
  id: 'table-1',
  title: 'Table 1: summary',
  source: 'Juntima et al., Table 1',
  params: object({}),
  order: 20,
  async render(report) {
    const { summary, plan, reference } = report;
    const span = plan.conditions.length;
    const shown = [
      ...withSubjectRates(rows, summary).filter(row => isWanted(row, report)),
      ...furtherRows.filter(row => summary.conditions.some(condition => shownValue(condition, row) !== null)),
    ];
    // conditions for which the paper has a value
    const published = plan.conditions.filter(({ id }) =>
      shown.some(row => publishedValue(reference, plan, row, id) !== undefined),
    );
    const cells = (row: Named) => {
      if (row === 'harm-factor') return summary.conditions.map(condition => harmCell(report, condition.id));
      return summary.conditions.map(condition => conditionCell(condition, row, summary));
    };
    const rowTitle = (row: Named) =>
      row === 'harm-factor' ? 'Harm factor (stalled time)' : titleOf(summary.quantities, row, plan.conditions);
    const paperHead = published.length === 0 ? null : html`<th colspan="${published.length}">${reference!.title}</th>`;
    const lines = shown.map(row => {
      const ofPaper = published.map(c => publishedValue(reference, plan, row, c.id) ?? '');
      const paperCells = ofPaper.map(value => html`<td class="paper">${value}</td>`);
      return html`<tr><th>${rowTitle(row)}</th>${cells(row)}${paperCells}</tr>`;
    });
    const [windowS, startUpS] = [plan.run.windowMs / 1000, plan.run.startUpMs / 1000];
    const paper = plan.source === 'own' ? reference?.title : plan.source;
    const note = reference?.note === undefined ? null : html`<br>On ${paper}: ${reference.note}`;
    const table = html`<figure><div class="scroll"><table>
<thead>
<tr><th></th><th colspan="${span}">Measured here (median)</th>${paperHead}</tr>
<tr><th></th>
${plan.conditions.map(c => html`<th>${shownAs(summary, c.id).label}<br><small>${conditionLabel(c, report)}</small></th>`)}
${published.map(c => html`<th>${c.title}</th>`)}</tr>
</thead>
<tbody>
${lines}
</tbody></table></div>
<figcaption>${trialCounts(report)}${isWithoutTrials(report) ? '' : `; ${bracketsLine(report)}`}. Window ${windowS} s after ${startUpS} s of start-up, which
is not measured; stalled time is the sum over the window, and stalls a minute and shares can be compared with other
windows. ${conditionsLine(report)}.
${note}</figcaption></figure>`;
    const tries = triesTable(report);
    // If there is no valid trial, the table of tries comes first, because it has the reasons.
    return html`${summary.conditions.some(({ trials }) => trials > 0) ? [table, tries] : [tries, table]}`;
  },
};
