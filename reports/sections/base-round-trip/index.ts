/**
 * Where a study forms the same link by several backends over base round-trip times: what the viewer and the flood saw,
 * one line for each backend.
 */
import { describeBackend } from '../../../core/backends.ts';
import { baseRttMs } from '../../../core/link.ts';
import { object } from '../../../core/schema.ts';
import { formatDuration } from '../../../core/units.ts';
import type { Condition } from '../../../harness/experiment/conditions.ts';
import type { SummaryValue } from '../../../harness/summary/summary.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { quantityOf, scaleToShown, shownUnit } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { bracketsLine, floodLabel, trialCounts } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';

const shown = ['media-goodput', 'rtt-p95', 'flood-estimate-p99'];

type Backend = Condition['link']['backend'];
/** Conditions that differ in backend and base round-trip time alone. */
type Field = {
  flood: string;
  backends: Backend[];
  rttsMs: number[];
  at(backend: Backend, rttMs: number): Record<string, SummaryValue> | undefined;
};

function fieldsOf(report: ReportData): Field[] {
  const groups = new Map<string, Condition[]>();
  for (const condition of report.plan.conditions) {
    const {
      link: { backend: _, paths: __, ...link },
      applications,
    } = condition;
    const key = JSON.stringify([link, applications]);
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups.values()]
    .map(
      (conditions): Field => ({
        flood: floodLabel(conditions[0]!, report),
        backends: [...new Set(conditions.map(({ link }) => link.backend))],
        rttsMs: [...new Set(conditions.map(({ link }) => baseRttMs(link)))].sort((a, b) => a - b),
        at: (backend, rttMs) => {
          const condition = conditions.find(({ link }) => link.backend === backend && baseRttMs(link) === rttMs);
          return report.summary.conditions.find(({ id }) => id === condition?.id)?.metrics;
        },
      }),
    )
    .filter(({ backends, rttsMs }) => backends.length > 1 && rttsMs.length > 1);
}

const nameOf = (backend: Backend) => (backend === 'auto' ? 'auto' : describeBackend(backend));

/** Undefined where no trial has the value. */
function drawn({ flood, backends, rttsMs, at }: Field, id: string, { summary }: ReportData): Html | undefined {
  const { title, unit } = quantityOf(summary.quantities, id);
  const values = backends.map(backend => rttsMs.map(rttMs => at(backend, rttMs)?.[id]));
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
  return html`<div><h3>${flood}: ${title}</h3>${chart}
<div class="scroll"><table><thead><tr><th scope="col">base RTT</th>${backends.map(backend => html`<th scope="col">${nameOf(backend)}</th>`)}</tr></thead>
<tbody>${rttsMs.map((rttMs, k) => html`<tr><th scope="row">${formatDuration(rttMs)}</th>${values.map(line => (line[k] === undefined ? html`<td></td>` : valueCell(line[k], unit)))}</tr>`)}</tbody></table></div></div>`;
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
    return html`<figure><div class="panels">${panels}</div>
<figcaption>Medians over trials; bands show the brackets (${bracketsLine(report)}). Where the intervals of two backends do not overlap, the result depends on the backend. CUBIC and Reno have no bandwidth estimate. ${trialCounts(report)}.</figcaption></figure>`;
  },
};
