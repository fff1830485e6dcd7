/**
 * Section on the bitrate of one controller relative to that of another, link by link, as in a figure of Drucker et al.
 */
import { object } from '../../../core/schema/schema.ts';
import { othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { formatInterval, formatMedian, formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import { linkLine } from '../../link-words.ts';
import { floodLabel, type ReportData, type ReportSection } from '../../report.ts';

const fewestLinks = 4;
const quantity = 'goodput';

type Controller = { id: string; title: string };
type Side = { controller: Controller; summary: ConditionSummary };
type Row = { surroundings: string; sides: Side[] };

/** Groups conditions that differ only in the controller of the subject. */
function rowsOf(report: ReportData): Row[] {
  const rows = new Map<string, Row>();
  for (const condition of report.plan.conditions) {
    const { service } = subjectOf(condition);
    const { controller } = report.factsOf(service);
    if (controller === null) continue;
    const others = Object.entries(service.params as object).filter(([, value]) => value !== controller);
    const key = JSON.stringify([condition.link, othersOf(condition), service.id, others]);
    const row = rows.get(key) ?? {
      surroundings: `${linkLine(condition, report)}, ${floodLabel(condition, report)}`,
      sides: [],
    };
    row.sides.push({ controller, summary: report.summary.conditions.find(({ id }) => id === condition.id)! });
    rows.set(key, row);
  }
  return [...rows.values()];
}

export const plugin: ReportSection = {
  id: 'controller-difference',
  title: 'Difference between two controllers',
  source: 'Drucker et al., Figure 3',
  params: object({}),
  order: 76,
  async render(report) {
    const rows = rowsOf(report).filter(
      ({ sides }) => sides.length === 2 && sides[0]!.controller.id !== sides[1]!.controller.id,
    );
    if (rows.length < fewestLinks) return null;
    const [first, second] = rows[0]!.sides.map(({ controller }) => controller) as [Controller, Controller];
    const same = rows.filter(
      ({ sides }) => sides[0]!.controller.id === first.id && sides[1]!.controller.id === second.id,
    );
    const lines = same.map(({ surroundings, sides }) => {
      const [a, b] = sides.map(({ summary }) => summary.metrics[quantity]!);
      const difference =
        a!.value === null || b!.value === null || b!.value === 0 ? null : (a!.value - b!.value) / b!.value;
      const medians = [a!, b!].map(
        value => html`<td>${formatMedian(value, 'bit/s')} <small>${formatInterval(value, 'bit/s')}</small></td>`,
      );
      return html`<tr><th scope="row">${surroundings}</th>
${medians}
<td>${formatValue(difference, 'ratio')}</td><td>${a!.n} / ${b!.n}</td></tr>`;
    });
    return html`<div class="scroll"><table>
<thead><tr><th scope="col">Link and flood</th>
<th scope="col">${first.title}</th><th scope="col">${second.title}</th>
<th scope="col">difference</th>
<th scope="col">n</th></tr></thead>
<tbody>${lines}</tbody></table></div>
<p class="note">Median goodput of the media, and the difference relative to ${second.title}: above 0 where
${first.title} has the higher goodput.</p>`;
  },
};
