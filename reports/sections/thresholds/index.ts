/** What the definition requires, and whether the results keep to it. */
import { object } from '../../../core/schema.ts';
import { formatInterval, formatMedian, formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { ReportSection } from '../../report.ts';

export const plugin: ReportSection = {
  id: 'thresholds',
  title: 'Thresholds',
  source: 'own',
  params: object({}),
  order: 15,
  async render({ outcomes, summary }) {
    if (outcomes.length === 0) return null;
    const missed = outcomes.filter(({ kept }) => !kept).length;
    return html`<p>${missed === 0 ? `All ${outcomes.length} kept.` : html`<b class="invalid">${missed} of ${outcomes.length} missed.</b>`}</p>
<figure><div class="scroll"><table>
<thead><tr><th>Metric</th><th>Condition</th><th>Required</th><th>Measured</th><th>n</th><th></th></tr></thead>
<tbody>${outcomes.map(({ metric, condition, bound, limit, judge, measured, kept, note }) => {
      const { title, unit } = quantityOf(summary.quantities, metric);
      const interval = formatInterval(measured, unit);
      return html`<tr><th scope="row">${title}</th><td>${summary.conditions.find(({ id }) => id === condition)!.title}</td>
<td>${bound === 'atMost' ? 'at most' : 'at least'} ${formatValue(limit, unit)}${judge === 'interval' ? html`<small>by the whole interval</small>` : null}</td>
<td>${formatMedian(measured, unit)}${interval === '' ? null : html`<small>${interval}</small>`}</td><td>${measured.n}</td>
<td class="${kept ? 'valid' : 'invalid'}">${kept ? 'kept' : 'missed'}${note === null ? null : html`<small>${note}</small>`}</td></tr>`;
    })}</tbody></table></div>
<figcaption>The median over valid trials is compared with the limit, or, where the row says so, the whole 95 % interval of the median.</figcaption></figure>`;
  },
};
