/**
 * Section with the thresholds of the definition and the outcome of each. On the terminal each missed threshold has a
 * line.
 */
import { object } from '../../../core/schema/schema.ts';
import { formatInterval, formatMedian, formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { JudgedReport } from '../../judged-report.ts';
import { titleOf } from '../../named.ts';
import type { ReportSection } from '../../report.ts';

/** Describes a missed threshold: "must be at most 0.00 s with its whole interval". */
const lineWords = { median: '', interval: ' with its whole interval', every: ' in every trial' } as const;
const judgedWords = { median: null, interval: 'by the whole interval', every: 'by every trial' } as const;

export const plugin: ReportSection<JudgedReport> = {
  id: 'thresholds',
  title: 'Thresholds',
  source: 'own',
  params: object({}),
  order: 15,
  async render({ judged: { thresholds: outcomes, quantities, conditions, parties } }) {
    if (outcomes.length === 0) return null;
    const missed = outcomes.filter(({ kept }) => !kept).length;
    const all = outcomes.length;
    const small = (text: string | null) => (text === null || text === '' ? null : html`<small>${text}</small>`);
    const rows = outcomes.map(({ metric, of, condition, bound, limit, judge, measured, kept, note }) => {
      const { unit } = quantityOf(quantities, metric);
      const title = titleOf(quantities, { metric, of }, parties);
      const required = `${bound === 'atMost' ? 'at most' : 'at least'} ${formatValue(limit, unit)}`;
      return html`<tr><th scope="row">${title}</th>
<td>${conditions.find(({ id }) => id === condition)!.title}</td>
<td>${required}${small(judgedWords[judge])}</td>
<td>${formatMedian(measured, unit)}${small(formatInterval(measured, unit))}</td>
<td>${measured.n}</td>
<td class="${kept ? 'valid' : 'invalid'}">${kept ? 'kept' : 'missed'}${small(note)}</td></tr>`;
    });
    return html`<p>${missed === 0 ? `All ${all} kept.` : html`<b class="invalid">${missed} of ${all} missed.</b>`}</p>
<figure><div class="scroll"><table>
<thead><tr><th>Metric</th><th>Condition</th><th>Required</th><th>Measured</th><th>n</th><th></th></tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>The median over valid trials is compared with the limit, or, where the row says so, the whole 95 % interval
of the median or every valid trial.</figcaption></figure>`;
  },
  lines: ({ judged: { thresholds: outcomes, quantities, conditions, parties } }) =>
    outcomes
      .filter(({ kept }) => !kept)
      .map(({ metric, of, condition, measured, bound, limit, judge, note }) => {
        const { unit } = quantityOf(quantities, metric);
        const title = titleOf(quantities, { metric, of }, parties);
        const { title: name } = conditions.find(({ id }) => id === condition)!;
        const interval = formatInterval(measured, unit);
        const value = `${formatValue(measured.value, unit)}${interval === '' ? '' : ` ${interval}`}`;
        const wanted = `${bound === 'atMost' ? 'at most' : 'at least'} ${formatValue(limit, unit)}`;
        const said = note === null ? '' : ` (${note})`;
        return `missed: ${title} of ${name}: ${value}, n = ${measured.n}, must be ${wanted}${lineWords[judge]}${said}`;
      }),
};
