/**
 * Section for studies that form the same link with several backends at several base round-trip times. It states at
 * which of them the backends agree, and shows measurements of viewer and flood with a line for each backend.
 */

import { object } from '../../../core/schema/schema.ts';
import { formatDuration } from '../../../core/text/units.ts';
import { describeBackend } from '../../../core/vocabulary/backends.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { quantityOf, scaleToShown, shownUnit } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { bracketsLine, type ReportData, type ReportSection, validCounts } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';
import { agreementsOf } from './agreement.ts';
import { type Backend, type Field, fieldsOf } from './fields.ts';
import { sentencesOf } from './sentences.ts';

const shown = ['media-goodput', 'rtt-p95', 'flood-estimate-p99'];

const nameOf = (backend: Backend) => (backend === 'auto' ? 'auto' : describeBackend(backend));

/** Returns the chart of metric `id`. Undefined if no trial has a value. */
function drawn({ flood, backends, rttsMs, at }: Field, id: string, { summary }: ReportData): Html | undefined {
  const { title, unit } = quantityOf(summary.quantities, id);
  const trialsOf = (backend: Backend, rttMs: number) => at(backend, rttMs)?.trials ?? 0;
  const values = backends.map(backend => rttsMs.map(rttMs => at(backend, rttMs)?.metrics[id]));
  const known = values.flat().filter(value => value !== undefined && value.value !== null);
  if (known.length === 0) return undefined;
  const scaled = (value: number | null | undefined) => (value == null ? null : scaleToShown(value, unit));
  const chart = seriesChart({
    title: `${title}, ${flood}`,
    x: { label: 'base round-trip time (ms)', values: rttsMs },
    y: { label: shownUnit(unit), min: 0 },
    lines: backends.map((backend, i) => ({
      label: nameOf(backend),
      colour: i,
      values: values[i]!.map(value => scaled(value?.value)),
      band: { low: values[i]!.map(value => scaled(value?.low)), high: values[i]!.map(value => scaled(value?.high)) },
    })),
  });
  const rows = rttsMs.map((rttMs, k) => {
    const cells = values.map((line, i) =>
      line[k] === undefined ? html`<td></td>` : valueCell(line[k], unit, { trials: trialsOf(backends[i]!, rttMs) }),
    );
    return html`<tr><th scope="row">${formatDuration(rttMs)}</th>${cells}</tr>`;
  });
  return html`<div><h3>${flood}: ${title}</h3>${chart}
<div class="scroll"><table><thead><tr><th scope="col">base RTT</th>
${backends.map(backend => html`<th scope="col">${nameOf(backend)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></div>`;
}

export const plugin: ReportSection = {
  id: 'base-round-trip',
  title: 'Base round-trip time and link backend',
  source: 'own',
  params: object({}),
  order: 83,
  async render(report) {
    const fields = fieldsOf(report);
    const panels = fields.flatMap(field => shown.flatMap(id => drawn(field, id, report) ?? []));
    if (panels.length === 0) return null;
    return html`${sentencesOf(agreementsOf(fields, report))}<figure><div class="panels">${panels}</div>
<figcaption>Medians over trials; bands show the brackets (${bracketsLine(report)}). CUBIC and Reno have no bandwidth
estimate. ${validCounts(report)}.</figcaption></figure>`;
  },
};
