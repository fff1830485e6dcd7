/** Every trial, void ones with their reason; each opens to its own series, link tests and metrics. */
import { object } from '../../../core/schema.ts';
import { embeddedTrials, verdictWords } from '../../embedded-trials.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { ReportSection } from '../../report.ts';

const columns = [
  'frame-rate',
  'media-goodput',
  'flood-goodput',
  'rtt-mean',
  'stall-count',
  'stall-time',
  'frame-gap-max',
  'server-cpu',
];

export const plugin: ReportSection = {
  id: 'trials',
  title: 'Trials',
  source: 'own',
  params: object({}),
  order: 90,
  async render(report) {
    const { summary, plan } = report;
    const titles = new Map(plan.conditions.map(condition => [condition.id, condition.title]));
    return html`<figure><div class="scroll"><table id="trial-table">
<thead><tr><th>Trial</th><th>Condition</th><th>Verdict</th><th>Flood</th>${columns.map(id => html`<th>${quantityOf(summary.quantities, id).title}</th>`)}</tr></thead>
<tbody>${summary.trials.map(
      trial => html`<tr id="trial-${trial.name}"><td><a href="#trial-${trial.name}">trials/${trial.name}</a></td><td>${titles.get(trial.condition) ?? trial.condition}, repeat ${trial.repeat}</td>
<td class="${trial.verdict.status}">${verdictWords[trial.verdict.status]}${[...trial.verdict.findings.map(finding => finding.message), ...trial.problems].map(text => html`<small>${text}</small>`)}</td><td>${trial.flood ?? '\u2013'}</td>
${columns.map(id => html`<td>${formatValue(trial.metrics?.[id] ?? null, quantityOf(summary.quantities, id).unit)}</td>`)}</tr>`,
    )}</tbody></table></div>
<figcaption>Open a trial for its own series, link tests and metrics; the up and down arrow keys go to the next one. A trial is void if the machine disturbed it (a late timer of server, page or harness, a busy machine, time taken by the hypervisor) or if a part of it failed. Void trials are kept, but never counted. The folders hold the raw series as JSON lines.</figcaption>
<script type="application/x-ndjson" id="trial-data">${embeddedTrials(report)}</script></figure>`;
  },
};
