/** Section on the shares of the subject and the other applications at the bottleneck, with delay and loss of each. */
import { object } from '../../../core/schema/schema.ts';
import type { ValueName } from '../../../core/vocabulary/subject.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { conditionCell, shownTitle, shownValue } from '../../disturbed.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { ofOthers, othersWord, valueOver } from '../../named.ts';
import { conditionsNote, type ReportData, type ReportSection, trialCounts } from '../../report.ts';
import { isCall } from '../../subject-rate.ts';

type Quantities = ReportData['summary']['quantities'];

/** Rows with a value of the subject and one of the other applications together. */
const sharedRows: readonly [label: string, metric: string][] = [
  ['Goodput', 'goodput'],
  ['Rate at the bottleneck', 'wire-rate'],
  ['Share of max-min fair rate', 'fair-share'],
  ['Queue delay, median', 'queue-delay-median'],
  ['Queue delay, 95th percentile', 'queue-delay-p95'],
  ['Packets dropped by the queue', 'queue-loss'],
];

/** Rows with a single value. */
const singleRows: readonly [label: string, metric: string][] = [
  ["Jain's index, all flows", 'jain-index-flows'],
  ['Link utilisation', 'link-utilisation'],
];

/** Rows for the bottleneck in the direction from the clients. They are shown if the study has such a bottleneck. */
const upRows: readonly [label: string, value: ValueName][] = [
  ['Link utilisation, from the clients', { metric: 'link-utilisation', of: 'up' }],
  ['Packets dropped by the queue from the clients', { metric: 'queue-drops', of: 'up' }],
];

/** Rows for others with several flows. Each shows the lowest and the highest value of these flows. */
const flowRows = [
  ['Goodput of a flow', 'goodput'],
  ['Queue delay of a flow, median', 'queue-delay'],
  ['Packets of a flow dropped by the queue', 'queue-loss'],
] as const;

const ends = ({ together }: ConditionSummary, name: string) =>
  [together[`flow-${name}-least`]!, together[`flow-${name}-most`]!] as const;
const hasSeveral = (condition: ConditionSummary) => {
  const [least, most] = ends(condition, 'goodput');
  return least.value !== null && least.value !== most.value;
};

function flowCell(condition: ConditionSummary, name: string, quantities: Quantities): Html {
  if (!hasSeveral(condition)) return html`<td colspan="2">\u2013</td>`;
  const { unit } = quantityOf(quantities, `flow-${name}-least`);
  const [least, most] = ends(condition, name);
  return html`<td colspan="2">${formatValue(least.value, unit)} to ${formatValue(most.value, unit)}</td>`;
}

export const plugin: ReportSection = {
  id: 'sharing',
  title: 'Bandwidth sharing',
  source: 'Jain, Chiu, Hawe, 1984; Philip et al. (Prudentia), section 3; RFC 8868, section 3.1',
  params: object({}),
  order: 57,
  async render(report) {
    const { conditions, quantities } = report.summary;
    const shared = conditions.filter(own => shownValue(own, ofOthers('goodput')) !== null);
    if (shared.length === 0) return null;
    const planned = report.plan.conditions.filter(({ id }) => shared.some(own => own.id === id));
    const [own, others] = [planned.every(isCall) ? 'media' : 'subject', othersWord(...planned)];
    const row = (label: string, cellsOf: (condition: ConditionSummary) => Html | Html[]) =>
      html`<tr><th scope="row">${label}</th>${shared.map(cellsOf)}</tr>`;
    const both = sharedRows.map(([label, metric]) =>
      row(label, condition => [
        conditionCell(condition, metric, report.summary),
        conditionCell(condition, ofOthers(metric), report.summary),
      ]),
    );
    const single = [[`Jain's index, ${own} and ${others}`, 'jain-index'] as const, ...singleRows].map(
      ([label, metric]) => row(label, condition => conditionCell(condition, metric, report.summary, 2)),
    );
    const up = upRows
      .filter(([, value]) => shared.some(condition => (valueOver(condition, value)?.n ?? 0) > 0))
      .map(([label, value]) => row(label, condition => conditionCell(condition, value, report.summary, 2)));
    const flows = flowRows.map(([label, name]) => row(label, condition => flowCell(condition, name, quantities)));
    return html`<figure><div class="scroll"><table>
<thead><tr><th></th>${shared.map(one => html`<th scope="colgroup" colspan="2">${shownTitle(one)}</th>`)}</tr>
<tr><th></th>${shared.map(() => html`<th scope="col">${own}</th><th scope="col">${others}</th>`)}</tr></thead>
<tbody>${both}
${single}
${up}
${shared.some(hasSeveral) ? flows : null}</tbody></table></div>
<figcaption>Medians over trials, brackets as in Table 1. The max-min fair rate of the ${own} is its equal part of the
link or, if less, what it reached alone (median of the baseline); that of the ${others} is the rest. Rates at the bottleneck include
headers and repair; goodput is payload that arrived. Of a flow: the lowest and the highest flow, each a median over
trials. ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
