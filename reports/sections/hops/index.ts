/** Section for links with several bottlenecks in a row: what each carried, and the time that packets waited at each. */
import { object } from '../../../core/schema/schema.ts';
import { binCount, meanPerBin } from '../../../core/stats/binned.ts';
import { furtherPlaces, hopsOf, isCrossed } from '../../../core/vocabulary/hops.ts';
import { inDirection, joinWords, linkWords } from '../../../core/vocabulary/link.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { conditionCell, shownAs, shownRecords } from '../../disturbed.ts';
import { quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { bracketsLine, overTrials, type ReportData, type ReportSection, trialCounts } from '../../report.ts';

/** Values of a bottleneck that have a column each. */
const shown = ['link-utilisation', 'queue-drops', 'random-losses', 'queue-delay-median', 'queue-delay-p95'] as const;
const binMs = 200;

function rows(report: ReportData, condition: Condition): Html[] {
  const { summary } = report;
  const own = summary.conditions.find(({ id }) => id === condition.id)!;
  const file = shownRecords(report, condition.id)[0]?.file;
  const links = hopsOf(condition.link);
  const places = [{ hop: 1, direction: 'down' as const, name: undefined }, ...furtherPlaces(condition.link)];
  return places.map(({ hop, direction, name: of }) => {
    const {
      paths: _,
      further: __,
      backend: ___,
      up: ____,
      ...words
    } = linkWords(inDirection(links[hop - 1]!, direction));
    const backend = hop === 1 ? file?.backend : file?.further?.[hop - 2]?.backend;
    const head =
      of === undefined
        ? html`<th scope="rowgroup" rowspan="${places.length}">${shownAs(summary, condition.id).label}</th>`
        : null;
    // the subject has values of its own only at the bottlenecks that it crosses
    const isOwn = isCrossed(condition.link.paths[condition.subject], hop);
    const cells = shown.map(metric =>
      isOwn || quantityOf(summary.quantities, metric).of === 'link'
        ? conditionCell(own, { metric, of }, summary)
        : html`<td>\u2013</td>`,
    );
    return html`<tr>${head}<th scope="row">${hop}${direction === 'up' ? ', from the clients' : null}</th>
<td>${joinWords(Object.values(words))}</td>
<td>${crossedBy(condition, hop)}</td>
<td>${backend ?? '\u2013'}</td>
${cells}</tr>`;
  });
}

/** Returns the names of the applications that cross a bottleneck; "all" if none leaves it out. */
function crossedBy({ link: { paths } }: Condition, hop: number): string {
  const crossing = Object.entries(paths).flatMap(([name, path]) => (isCrossed(path, hop) ? [name] : []));
  if (crossing.length === Object.keys(paths).length) return 'all';
  return crossing.length === 0 ? 'none' : crossing.join(', ');
}

async function chart(report: ReportData, condition: Condition): Promise<Html | null> {
  const records = shownRecords(report, condition.id).filter(({ file }) => file.queueLog !== null);
  if (records.length === 0) return null;
  const { label } = shownAs(report.summary, condition.id);
  const lines = [];
  const own = condition.link.paths[condition.subject];
  for (const k of hopsOf(condition.link).keys()) {
    if (!isCrossed(own, k + 1)) continue;
    const delays = await overTrials(records, async record =>
      meanPerBin(await record.ownDelays(k + 1), record.window, binMs),
    );
    lines.push(trialLine({ label: `bottleneck ${k + 1}` }, k, delays));
  }
  const bins = binCount(records[0]!.window, binMs);
  return html`<figure><h3>${label}</h3>${seriesChart({
    title: `Queue delay at each bottleneck, ${label}`,
    x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
    y: { label: 'ms', min: 0 },
    lines,
    height: 280,
  })}<figcaption>Time that the packets of the subject spend in the queue of each bottleneck, mean of each ${binMs} ms,
from its log. ${lineCaption(records.length)}</figcaption></figure>`;
}

export const plugin: ReportSection = {
  id: 'hops',
  title: 'Bottlenecks in a row',
  source: 'own; RFC 8867, section 6.3: multiple bottlenecks',
  params: object({}),
  order: 53,
  async render(report) {
    const inRow = report.plan.conditions.filter(({ link }) => link.further !== undefined);
    if (inRow.length === 0) return null;
    const charts = [];
    for (const condition of inRow) charts.push(await chart(report, condition));
    return html`<figure><div class="scroll"><table>
<thead><tr><th scope="col">Condition</th>
<th scope="col">No.</th>
<th scope="col">Bottleneck</th>
<th scope="col">Crossed by</th>
<th scope="col">Backend</th>
${shown.map(id => html`<th scope="col">${quantityOf(report.summary.quantities, id).title}</th>`)}</tr></thead>
<tbody>${inRow.flatMap(condition => rows(report, condition))}</tbody></table></div>
<figcaption>The bottlenecks of each link in the order from the servers to the clients, medians over trials. Times in the
queue are those of the subject. ${trialCounts(report)}; ${bracketsLine(report)}.</figcaption></figure>${charts}`;
  },
};
