/**
 * Section for trials with more applications than a subject and a single flood. It shows the results of each
 * application, and how the applications share the bottleneck over time.
 */

import { object } from '../../../core/schema/schema.ts';
import { binCount } from '../../../core/stats/binned.ts';
import { firstHopOf, isCrossed, ownRowOf } from '../../../core/vocabulary/hops.ts';
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import { isFlood, othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import type { Application } from '../../../harness/definition/applications.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { areaChart } from '../../charts/area-chart.ts';
import { disturbedCell, shownAs, shownRecords, shownValue } from '../../disturbed.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { bracketsLine, conditionsNote, type ReportData, type ReportSection, trialCounts } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';

/** Metrics that have a column each. A column without any value is left out. */
const shown = [
  'goodput',
  'wire-rate',
  'wire-share',
  'frame-rate',
  'stall-time',
  'frame-latency-p95',
  'rtcp-rtt-median',
  'loss',
] as const;
const binMs = 1000;

/**
 * True if a condition has other applications than its subject and a single flood. Other sections show the other
 * conditions.
 */
const isCrowd = (condition: Condition) =>
  othersOf(condition).length > 1 || othersOf(condition).some(other => !isFlood(other));

function timeOf({ startMs, stopMs, pauses = [] }: Application): string {
  const at = (ms: number | null, otherwise: string) => (ms === null ? otherwise : `${ms / 1000} s`);
  return [
    startMs === null && stopMs === null ? 'whole window' : `${at(startMs, 'before')} to ${at(stopMs, 'end')}`,
    ...pauses.map(({ fromMs, toMs }) => `paused ${fromMs / 1000} to ${toMs / 1000} s`),
  ].join(', ');
}

function table({ summary }: ReportData, crowds: readonly Condition[]): Html {
  const valuesOf = (condition: Condition, { name }: Application) => {
    const own = summary.conditions.find(({ id }) => id === condition.id)!;
    return name === condition.subject ? own.metrics : (own.others[name] ?? {});
  };
  /**
   * Returns the metrics of the disturbed try that is shown for a condition. Undefined if the condition has a valid
   * trial.
   */
  const disturbedOf = (condition: Condition, { name }: Application) => {
    const { disturbed } = summary.conditions.find(({ id }) => id === condition.id)!;
    return name === condition.subject ? disturbed?.metrics : disturbed?.others[name];
  };
  const columns = shown.filter(id =>
    crowds.some(condition =>
      condition.applications.some(
        application =>
          (valuesOf(condition, application)[id]?.n ?? 0) > 0 || disturbedOf(condition, application)?.[id] != null,
      ),
    ),
  );
  const cell = (condition: Condition, application: Application, id: string) => {
    const { unit } = quantityOf(summary.quantities, id);
    const disturbed = disturbedOf(condition, application);
    if (disturbed !== undefined) return disturbedCell(formatValue(disturbed[id] ?? null, unit));
    const value = valuesOf(condition, application)[id];
    const { trials } = summary.conditions.find(own => own.id === condition.id)!;
    return value === undefined ? html`<td>\u2013</td>` : valueCell(value, unit, { trials });
  };
  const rows = crowds.flatMap(condition =>
    condition.applications.map((application, k) => {
      const { name, service, direction } = application;
      const span = condition.applications.length;
      const head =
        k === 0 ? html`<th scope="rowgroup" rowspan="${span}">${shownAs(summary, condition.id).label}</th>` : null;
      return html`<tr>${head}<th scope="row">${name}</th>
<td>${service.title}</td>
<td>${direction === 'down' ? 'left' : 'right'}</td>
<td>${timeOf(application)}</td>
${columns.map(id => cell(condition, application, id))}</tr>`;
    }),
  );
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Condition</th>
<th scope="col">Application</th>
<th scope="col">Service</th>
<th scope="col">Server on the</th>
<th scope="col">In use</th>
${columns.map(id => html`<th scope="col">${quantityOf(summary.quantities, id).title}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** Returns the rate of each application at the first bottleneck of the subject, Mbit/s, one value per second. */
async function ratesOf(record: TrialView): Promise<Map<string, number[]>> {
  const { startMs } = record.window;
  const { paths } = record.file.condition.link;
  const hop = firstHopOf({ paths }, record.application.name);
  const bins = binCount(record.window, binMs);
  const rates = new Map(
    record.file.condition.applications
      .filter(({ name, direction }) => direction === record.application.direction && isCrossed(paths[name], hop))
      .map(({ name }) => [name, new Array<number>(bins).fill(0)]),
  );
  for (const { application, timeMs, sentBytes } of await record.queueDelay()) {
    const own = application === null ? undefined : rates.get(application);
    const bin = Math.floor((timeMs - startMs) / binMs);
    if (own !== undefined && bin >= 0 && bin < bins) own[bin]! += (((sentBytes * 8) / 1e6) * 1000) / binMs;
  }
  return rates;
}

async function chart(report: ReportData, condition: Condition): Promise<Html | null> {
  const record = shownRecords(report, condition.id).find(({ file }) => file.queueLog !== null);
  if (record === undefined) return null;
  const rates = await ratesOf(record.anew());
  const link = ownRowOf(condition.link, subjectOf(condition))[0]?.link ?? null;
  const bins = binCount(record.window, binMs);
  const own = report.summary.conditions.find(({ id }) => id === condition.id)!;
  const { label: shownName } = shownAs(report.summary, condition.id);
  const { stops, caption } = await linkStops([{ title: shownName, records: [record] }]);
  const areas = areaChart({
    title: `Shares of the bottleneck over time, ${shownName}`,
    x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
    y: {
      label: 'Mbit/s at the bottleneck',
      ...(link === null || link.trace !== null ? {} : { max: highestRateBps(link, 0, report.plan.run.windowMs) / 1e6 }),
    },
    parts: [...rates].map(([label, values]) => ({ label, values })),
    stops: stops.flat(),
  });
  const jain = formatValue(shownValue(own, 'jain-index-applications'), '');
  const ofWhat = own.disturbed === null ? 'median over trials' : 'of this try';
  return html`<figure><h3>${shownName}</h3>${areas}<figcaption>${shownName}, trial ${record.file.trial.id}:
rate of each application at the output of the queue, per second, from the queue log. Jain's index of all applications
over the window: ${jain} (${ofWhat}). ${caption}</figcaption></figure>`;
}

export const plugin: ReportSection = {
  id: 'applications',
  title: 'Applications',
  source: "RFC 8868, section 3.1: each flow's rate, delay and loss; Jain, Chiu, Hawe, 1984",
  params: object({}),
  order: 56,
  async render(report) {
    const crowds = report.plan.conditions.filter(isCrowd).filter(({ id }) => shownRecords(report, id).length > 0);
    if (crowds.length === 0) return null;
    const charts = [];
    for (const condition of crowds) charts.push(await chart(report, condition));
    return html`<figure>${table(report, crowds)}
<figcaption>Medians over trials, for the time in which each application was in use and did not pause. Rates and shares at the bottleneck
are those of the direction from its server. ${trialCounts(report)}; ${bracketsLine(report)}.
${conditionsNote(report)}</figcaption></figure>${charts}`;
  },
};
