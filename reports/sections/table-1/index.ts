/** The paper's Table 1 with measured and published values, and further metrics. */
import { object } from '../../../core/schema.ts';
import { pairsOf } from '../../../core/trial-pairs.ts';
import { formatChange, formatInterval, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { bracketsLine, conditionLabel, conditionsLine, trialCounts } from '../../report.ts';
import { publishedValue } from '../../published.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';
import { triesTable } from './tries.ts';

/** Rows in the paper's order; below them what the paper does not have. */
const rows = [
  'media-goodput',
  'flood-goodput',
  'rtt-mean',
  'rtt-p95',
  'frame-rate',
  'decoded-frame-rate',
  'stall-time',
  'stall-count',
  'harm-factor',
  'freeze-count',
  'freeze-time',
  'frame-gap-max',
  'frame-latency-median',
  'frame-latency-p95',
  'jitter-mean',
  'media-loss',
  'jain-index',
  'link-utilisation',
] as const;

/** Shown where there is a value. */
const furtherRows = [
  'frame-rate-harmonic',
  'frame-rate-low',
  'frame-height',
  'high-delay-packets',
  'vmaf-mean',
  'g1072-score',
] as const;

/**
 * Stalled time against the baseline: the factor, or, where a trial of the baseline has none, the difference as in the
 * verdict's table.
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
  return html`<td>undefined<small>the baseline has 0 s in ${without === pairs ? (pairs === 1 ? 'its one trial' : `all ${pairs} pairs`) : `${without} of ${pairs} pairs`}; difference ${formatChange(shift, 's')} ${formatInterval(shift, 's')}</small></td>`;
}

export const plugin: ReportSection = {
  id: 'table-1',
  title: 'Table 1: summary',
  source: 'Juntima et al., Table 1',
  params: object({}),
  order: 20,
  async render(report) {
    const { summary, plan } = report;
    const { reference } = plan.definition;
    const span = plan.conditions.length;
    const shown = [
      ...rows.filter(row => row !== 'harm-factor' || summary.comparisons.length > 0),
      ...furtherRows.filter(row => summary.conditions.some(condition => condition.metrics[row]!.value !== null)),
    ];
    /** Those of which the paper has anything. */
    const published = plan.conditions.filter(({ id }) =>
      shown.some(row => publishedValue(plan.definition, row, id) !== undefined),
    );
    const cells = (row: string) => {
      if (row === 'harm-factor') return summary.conditions.map(condition => harmCell(report, condition.id));
      return summary.conditions.map(condition =>
        valueCell(condition.metrics[row]!, quantityOf(summary.quantities, row).unit, { trials: condition.trials }),
      );
    };
    const table = html`<figure><div class="scroll"><table>
<thead>
<tr><th></th><th colspan="${span}">Measured here (median)</th>${published.length === 0 ? null : html`<th colspan="${published.length}">${reference!.title}</th>`}</tr>
<tr><th></th>${plan.conditions.map(c => html`<th>${c.title}<br><small>${conditionLabel(c, report)}</small></th>`)}${published.map(c => html`<th>${c.title}</th>`)}</tr>
</thead>
<tbody>
${shown.map(row => html`<tr><th>${row === 'harm-factor' ? 'Harm factor (stalled time)' : quantityOf(summary.quantities, row).title}</th>${cells(row)}${published.map(c => html`<td class="paper">${publishedValue(plan.definition, row, c.id) ?? ''}</td>`)}</tr>`)}
</tbody></table></div>
<figcaption>${trialCounts(report)}; ${bracketsLine(report)}. Window ${plan.run.windowMs / 1000} s after ${plan.run.startUpMs / 1000} s of start-up, which is not measured. ${conditionsLine(report)}.
${reference?.note === undefined ? null : html`<br>On ${plan.source === 'own' ? reference.title : plan.source}: ${reference.note}`}</figcaption></figure>`;
    const tries = triesTable(report);
    // without a valid trial the table is empty, and the tries say why
    return html`${summary.conditions.some(({ trials }) => trials > 0) ? [table, tries] : [tries, table]}`;
  },
};
