/** Section for trials on several machines: the medians of each machine, and the spread within and between machines. */

import { object } from '../../../core/schema/schema.ts';
import { headline } from '../../../core/vocabulary/headline.ts';
import type { MachineSummary } from '../../../harness/analysis/summary/summary.ts';
import { formatMedian, formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ReportData, ReportSection } from '../../report.ts';

/** Maximum number of machines that have a column each. */
const mostColumns = 6;

function rows(id: string, { summary }: ReportData, { conditions, machines }: MachineSummary): Html[] {
  const { title, unit } = quantityOf(summary.quantities, id);
  return conditions.flatMap(condition => {
    const spread = condition.spread[id];
    if (spread === undefined || Object.keys(spread.medians).length === 0) return [];
    const of = summary.conditions.find(one => one.id === condition.id)!;
    const cells = machines.slice(0, mostColumns).map(({ name }) => {
      const value = spread.medians[name];
      return value === undefined
        ? html`<td>\u2013</td>`
        : html`<td>${formatMedian(value, unit)}<small>n = ${value.n}</small></td>`;
    });
    return [
      html`<tr><th scope="row">${title}<small>${of.title}</small></th>${cells}
<td>${formatValue(spread.within, unit)}</td>
<td>${formatValue(spread.between, unit)}</td></tr>`,
    ];
  });
}

export const plugin: ReportSection = {
  id: 'machines',
  title: 'Machines',
  source: 'Searle, Casella and McCulloch, Variance Components, 1992',
  params: object({}),
  order: 62,
  async render(report) {
    const { machines } = report.summary;
    if (machines === null) return null;
    const { machines: all } = machines;
    const more = all.length - mostColumns;
    const notShown = more > 0 ? ` (those of ${more} more machines are in summary.json)` : '';
    const counts = all.map(({ name, trials }) => `${trials} on ${name}`).join(', ');
    return html`<figure><div class="scroll"><table>
<thead><tr><th></th>
${all.slice(0, mostColumns).map(({ name }) => html`<th scope="col">${name}</th>`)}
<th scope="col">Within a machine</th>
<th scope="col">Between machines</th></tr></thead>
<tbody>${headline.map(id => rows(id, report, machines))}</tbody></table></div>
<figcaption>Medians over the trials of each machine${notShown}, then two standard deviations: within a machine
(between its trials) and between machines, without the part that the spread of the trials explains (ANOVA estimates of a
one-way random model). With few machines, the second is only a rough estimate. Trials that count: ${counts}. Conditions are compared with
the baseline within a machine only.</figcaption></figure>`;
  },
};
