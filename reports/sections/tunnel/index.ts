/**
 * Section on tunnels: losses, rates and requests of QUIC and of WebRTC in each condition, with the values of the paper.
 */
import { object } from '../../../core/schema/schema.ts';
import { conditionCell, shownTitle, shownValue } from '../../disturbed.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { nameOf, titleOf, valueOver } from '../../named.ts';
import { publishedNames, publishedValue } from '../../published.ts';
import { bracketsLine, type ReportData, type ReportSection, trialCounts } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';

/**
 * Metrics of the columns: first those of the paper's figures (bitrate at the client, losses of WebRTC and QUIC, rate of
 * QUIC), then metrics that explain them.
 */
const columns = [
  'goodput',
  'rtp-loss',
  'tunnel-loss',
  'tunnel-rate',
  'tunnel-expansion',
  'spurious-retransmissions',
  'key-frames-asked',
  'key-frame-storm',
  'tunnel-window',
  'tunnel-rtt',
  'tunnel-queue-p95',
  'tunnel-drops',
  'stall-time',
];

function referenceRows(report: ReportData): Html | null {
  const { reference, plan } = report;
  if (reference === null) return null;
  const { quantities, conditions } = report.summary;
  const rows = publishedNames(reference).flatMap(named =>
    conditions.flatMap(condition => {
      const { id, title } = condition;
      const text = publishedValue(reference, plan, named, id);
      if (text === undefined) return [];
      const { unit } = quantityOf(quantities, nameOf(named).metric);
      const metric = titleOf(quantities, named, plan.conditions);
      return [{ title, metric, unit, text, measured: valueOver(condition, named)! }];
    }),
  );
  if (rows.length === 0) return html`<p class="note">${reference.title}: ${reference.note ?? ''}</p>`;
  const lines = rows.map(
    ({ title, metric, unit, text, measured }) => html`<tr><th scope="row">${title}</th>
<td>${metric}</td>
<td>${text}</td>
${valueCell(measured, unit)}</tr>`,
  );
  return html`<figure><div class="scroll"><table>
<thead><tr><th>Condition</th><th></th><th>${reference.title}</th><th>Here</th></tr></thead>
<tbody>${lines}</tbody></table></div>
<figcaption>${reference.note ?? ''}</figcaption></figure>`;
}

export const plugin: ReportSection = {
  id: 'tunnel',
  title: 'Tunnels',
  source: 'Baldassin et al., Figures 1 and 2',
  params: object({}),
  order: 58,
  async render(report) {
    const { plan, summary } = report;
    const isCarried = plan.conditions.some(({ applications }) =>
      applications.some(({ tunnel }) => tunnel !== undefined),
    );
    if (!isCarried || summary.conditions.every(({ trials, disturbed }) => trials === 0 && disturbed === null))
      return null;
    const shown = columns
      .map(id => quantityOf(summary.quantities, id))
      .filter(({ id }) => summary.conditions.some(own => shownValue(own, id) !== null));
    const besides = summary.trials.filter(({ verdict }) =>
      verdict.findings.some(({ kind, message }) => kind === 'link' && message.includes('outside of the tunnel')),
    ).length;
    const outside =
      besides === 0 ? 'none in any trial that counts' : `${formatValue(besides, '')} tries were void for them`;
    const rows = summary.conditions.map(own => {
      const cells = shown.map(({ id }) => conditionCell(own, id, summary));
      return html`<tr><th scope="row">${shownTitle(own)}</th>${cells}</tr>`;
    });
    return html`<figure><div class="scroll"><table><thead><tr><th>Condition</th>
${shown.map(({ title }) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Medians over trials. ${trialCounts(report)}; ${bracketsLine(report)}. Losses and rate of the tunnel are
those of the end beside the server. UDP packets on the link outside of the tunnel: ${outside}.</figcaption></figure>
${referenceRows(report)}`;
  },
};
