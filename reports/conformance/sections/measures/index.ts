/** Section with the rule, the requirement and the reason for the bound of each measure of the study. */
import { object } from '../../../../core/schema/schema.ts';
import { html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import type { ConformanceReport } from '../../data.ts';

export const plugin: ReportSection<ConformanceReport> = {
  id: 'measures',
  title: 'What is measured, and where the bounds come from',
  source: 'RFC 8836; RFC 8867; RFC 8868',
  params: object({}),
  order: 30,
  render: ({ rules, summary: { cells } }) => {
    const used = rules.filter(({ id }) =>
      cells.some(cell => cell.expectations.some(({ measure }) => measure === id) || cell.without.includes(id)),
    );
    if (used.length === 0) return null;
    return html`<p>The RFCs give no numbers. A bound that neither a case nor the study sets is this project's, for the reason given.</p>
<table><thead><tr><th>Measure</th><th>Rule</th><th>Usual bound</th><th>Reason</th></tr></thead>
<tbody>${used.map(
      ({ title, requirement, rule, bound, reason }) =>
        html`<tr><th scope="row">${title}<small>${requirement}</small></th><td>${rule}</td><td>${bound}</td><td>${reason}</td></tr>
`,
    )}</tbody></table>`;
  },
};
