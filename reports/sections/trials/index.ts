/**
 * Section with every trial, also void ones with the reason. The reader can open each trial to see series, link tests
 * and metrics.
 */
import { object } from '../../../core/schema/schema.ts';
import { verdictWords } from '../../../core/vocabulary/verdict-words.ts';
import { embeddedTrials } from '../../embedded-trials.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import { stopsInWords } from '../../link-stops.ts';
import { nameOf, ofOthers, titleOf, valueIn } from '../../named.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { withSubjectRates } from '../../subject-rate.ts';

const columns = [
  'frame-rate',
  'goodput',
  ofOthers('goodput'),
  'rtt-mean',
  'stall-count',
  'stall-time',
  'frame-gap-max',
  'server-cpu',
];

/**
 * Describes the stops in each direction of the link that stood still: "link stood still 3 times, longest 12 ms, 24 ms
 * in all".
 */
function stopsOf({ file }: ReportData['details'][number]): string[] {
  return (file.queueLog?.stops ?? [])
    .filter(({ count }) => count > 0)
    .map(stops => `${stops.direction === 'up' ? 'link from the clients' : 'link'} stood still ${stopsInWords(stops)}`);
}

export const plugin: ReportSection = {
  id: 'trials',
  title: 'Trials',
  source: 'own',
  params: object({}),
  order: 90,
  async render(report) {
    const { summary, plan } = report;
    const stops = new Map(report.details.map(detail => [detail.name, stopsOf(detail)]));
    const titles = new Map(plan.conditions.map(condition => [condition.id, condition.title]));
    const shown = withSubjectRates(columns, summary).map(named => ({
      named,
      title: titleOf(summary.quantities, named, plan.conditions),
      unit: quantityOf(summary.quantities, nameOf(named).metric).unit,
    }));
    const rows = summary.trials.map(trial => {
      const { name, condition, repeat, verdict, problems, flood } = trial;
      const own = summary.conditions.find(({ id }) => id === condition)!;
      const reasons = [...verdict.findings.map(({ message }) => message), ...problems, ...(stops.get(name) ?? [])];
      return html`<tr id="trial-${name}"><td><a href="#trial-${name}">trials/${name}</a></td>
<td>${titles.get(condition) ?? condition}, repeat ${repeat}</td>
<td class="${verdict.status}">${verdictWords[verdict.status]}${reasons.map(text => html`<small>${text}</small>`)}</td>
<td>${flood ?? '\u2013'}</td>
${shown.map(({ named, unit }) => html`<td>${formatValue(valueIn(trial, named, own), unit)}</td>`)}</tr>`;
    });
    return html`<figure><div class="scroll"><table id="trial-table">
<thead><tr><th>Trial</th>
<th>Condition</th>
<th>Verdict</th>
<th>Flood</th>
${shown.map(({ title }) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Open a trial for its own series, link tests and metrics; the up and down arrow keys go to the next one. A
trial is void if the machine disturbed it (a late timer of server, page or harness, a busy machine, time taken by the
hypervisor) or if a part of it failed. Void trials are kept, but never counted. The folders hold the raw series as JSON
lines.</figcaption>
<script type="application/x-ndjson" id="trial-data">${embeddedTrials(report)}</script></figure>`;
  },
};
