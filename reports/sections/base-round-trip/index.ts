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
import { type Named, nameOf, ofOthers, titleOf, valueOver } from '../../named.ts';
import { bracketsLine, type ReportData, type ReportSection, validCounts } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';
import { agreementsOf } from './agreement.ts';
import { type Backend, type Field, fieldsOf } from './fields.ts';
import { sentencesOf } from './sentences.ts';

const shown = ['goodput', 'rtt-p95', ofOthers('flow-estimate-p99')];

const backendName = (backend: Backend) => (backend === 'auto' ? 'auto' : describeBackend(backend));

/** Returns the chart of a value. Undefined if no trial has it. */
function drawn({ flood, backends, rttsMs, at }: Field, named: Named, { summary, plan }: ReportData): Html | undefined {
  const { unit } = quantityOf(summary.quantities, nameOf(named).metric);
  const title = titleOf(summary.quantities, named, plan.conditions);
  const trialsOf = (backend: Backend, rttMs: number) => at(backend, rttMs)?.trials ?? 0;
  const valueAt = (backend: Backend, rttMs: number) => {
    const condition = at(backend, rttMs);
    return condition === undefined ? undefined : valueOver(condition, named);
  };
  const values = backends.map(backend => rttsMs.map(rttMs => valueAt(backend, rttMs)));
  const known = values.flat().filter(value => value !== undefined && value.value !== null);
  if (known.length === 0) return undefined;
  const scaled = (value: number | null | undefined) => (value == null ? null : scaleToShown(value, unit));
  const chart = seriesChart({
    title: `${title}, ${flood}`,
    x: { label: 'base round-trip time (ms)', values: rttsMs },
    y: { label: shownUnit(unit), min: 0 },
    lines: backends.map((backend, i) => ({
      label: backendName(backend),
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
${backends.map(backend => html`<th scope="col">${backendName(backend)}</th>`)}</tr></thead>
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
    const panels = fields.flatMap(field => shown.flatMap(named => drawn(field, named, report) ?? []));
    if (panels.length === 0) return null;
    return html`${sentencesOf(agreementsOf(fields, report))}<figure><div class="panels">${panels}</div>
<figcaption>Medians over trials; bands show the brackets (${bracketsLine(report)}). CUBIC and Reno have no bandwidth
estimate. ${validCounts(report)}.</figcaption></figure>`;
  },
};
