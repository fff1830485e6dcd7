/** Section on the shares of media and flood at the bottleneck, with the queue delay and the loss of each. */
import { object } from '../../../core/schema/schema.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { conditionCell, shownTitle, shownValue } from '../../disturbed.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { conditionsNote, type ReportData, type ReportSection, trialCounts } from '../../report.ts';

type Quantities = ReportData['summary']['quantities'];

/** Rows of the table. Each has a quantity of the media and one of the flood, or a single quantity for both. */
const rows: readonly [label: string, media: string, flood?: string][] = [
  ['Goodput', 'media-goodput', 'flood-goodput'],
  ['Rate at the bottleneck', 'media-wire-rate', 'flood-wire-rate'],
  ['Share of max-min fair rate', 'media-fair-share', 'flood-fair-share'],
  ['Queue delay, median', 'media-queue-delay-median', 'flood-queue-delay-median'],
  ['Queue delay, 95th percentile', 'media-queue-delay-p95', 'flood-queue-delay-p95'],
  ['Packets dropped by the queue', 'media-queue-loss', 'flood-queue-loss'],
  ["Jain's index, media and flood", 'jain-index'],
  ["Jain's index, all flows", 'jain-index-flows'],
  ['Link utilisation', 'link-utilisation'],
];

/** Rows for the bottleneck in the direction from the clients. They are shown if the study has such a bottleneck. */
const upRows: readonly [label: string, id: string][] = [
  ['Link utilisation, from the clients', 'up-link-utilisation'],
  ['Packets dropped by the queue from the clients', 'up-queue-drops'],
];

/** Rows for a flood with several flows. Each shows the lowest and the highest value of its flows. */
const flowRows = [
  ['Goodput of a flow', 'goodput'],
  ['Queue delay of a flow, median', 'queue-delay'],
  ['Packets of a flow dropped by the queue', 'queue-loss'],
] as const;

const ends = ({ metrics }: ConditionSummary, name: string) =>
  [metrics[`flood-flow-${name}-least`]!, metrics[`flood-flow-${name}-most`]!] as const;
const hasSeveral = (condition: ConditionSummary) => {
  const [least, most] = ends(condition, 'goodput');
  return least.value !== null && least.value !== most.value;
};

function flowCell(condition: ConditionSummary, name: string, quantities: Quantities): Html {
  if (!hasSeveral(condition)) return html`<td colspan="2">\u2013</td>`;
  const { unit } = quantityOf(quantities, `flood-flow-${name}-least`);
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
    const flooded = conditions.filter(own => shownValue(own, 'flood-goodput') !== null);
    if (flooded.length === 0) return null;
    const row = (label: string, cellsOf: (condition: ConditionSummary) => Html | Html[]) =>
      html`<tr><th scope="row">${label}</th>${flooded.map(cellsOf)}</tr>`;
    const shared = rows.map(([label, media, flood]) =>
      row(label, condition =>
        flood === undefined
          ? conditionCell(condition, media, report.summary, 2)
          : [conditionCell(condition, media, report.summary), conditionCell(condition, flood, report.summary)],
      ),
    );
    const up = upRows
      .filter(([, id]) => flooded.some(({ metrics }) => metrics[id] !== undefined && metrics[id].n > 0))
      .map(([label, id]) => row(label, condition => conditionCell(condition, id, report.summary, 2)));
    const flows = flowRows.map(([label, name]) => row(label, condition => flowCell(condition, name, quantities)));
    return html`<figure><div class="scroll"><table>
<thead><tr><th></th>${flooded.map(own => html`<th scope="colgroup" colspan="2">${shownTitle(own)}</th>`)}</tr>
<tr><th></th>${flooded.map(() => html`<th scope="col">media</th><th scope="col">flood</th>`)}</tr></thead>
<tbody>${shared}
${up}
${flooded.some(hasSeveral) ? flows : null}</tbody></table></div>
<figcaption>Medians over trials, brackets as in Table 1. The max-min fair rate of the media is half of the link or, if
less, what the stream reached alone (median of the baseline); the flood's is the rest. Rates at the bottleneck include
headers and repair; goodput is payload that arrived. Of a flow: the lowest and the highest flow, each a median over
trials. ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
