/** Section with each case of each sender: its expectations with what was measured, and the charts of one trial. */
import { object } from '../../../../core/schema/schema.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import type { Course } from '../../../../harness/studies/conformance/analysis/course.ts';
import type { CellSummary, JudgedExpectation } from '../../../../harness/studies/conformance/summary.ts';
import { seriesChart } from '../../../charts/series-chart.ts';
import { formatInterval, formatMedian, formatValue, quantityOf } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { anchorOf, boundWords, type ConformanceReport, spanWords, verdictHtml } from '../../data.ts';
import { capacitiesOf, lastOf, partsOf, ratesOf } from '../../spark.ts';

/** Length of a point of the charts, ms. */
const stepMs = 500;

function rowHtml(one: JudgedExpectation, { summary: { quantities } }: ConformanceReport): Html {
  const { title, unit } = quantityOf(quantities, one.measure);
  const { estimate, kept } = one;
  const interval = formatInterval(estimate, unit);
  return html`<tr><th scope="row">${title}${one.says === null ? null : html`<small>\u201c${one.says}\u201d</small>`}</th>
<td>${spanWords(one)}</td><td>${boundWords(one, unit)}</td>
<td>${formatMedian(estimate, unit)} ${interval}<small>kept in ${kept} of ${estimate.n}</small></td>
<td>${verdictHtml(one.verdict)}</td><td>${one.virtual === null ? '\u2013' : virtualHtml(one, unit)}</td></tr>`;
}

/** Returns the value in virtual time, and how far the measured median is above it or below. */
function virtualHtml({ virtual, estimate }: JudgedExpectation, unit: string): Html {
  const difference = estimate.value! - virtual!;
  const sign = difference < 0 ? '\u2212' : '+';
  return html`${formatValue(virtual, unit)}<small>measured: ${sign}${formatValue(Math.abs(difference), unit)}</small>`;
}

/** Returns the means of the delays in `count` equal parts of the window, ms; null for a part without a packet. */
function delays(values: readonly (number | null)[], count: number): (number | null)[] {
  return partsOf(values, count).map(part => mean(part.filter(value => value !== null)) ?? null);
}

/** Returns the last estimates in `count` equal parts of the window, Mbit/s; null for a part without one. */
function estimates(values: readonly (number | null)[], count: number): (number | null)[] {
  return partsOf(values, count).map(part => {
    const last = part.findLast(value => value !== null) ?? null;
    return last === null ? null : last / 1e6;
  });
}

/** `withEstimates`: draws the bandwidth estimates of the senders beside the rates. */
function charts(course: Course, title: string, withEstimates: boolean): Html {
  const count = Math.ceil(course.windowMs / stepMs);
  const x = {
    label: 'Time in the window, s',
    values: Array.from({ length: count }, (_, k) => ((k + 0.5) * stepMs) / 1000),
  };
  const inMbit = (values: readonly number[]) => values.map(bps => bps / 1e6);
  const isRow = course.bottlenecks.some(({ hop }) => hop > 1);
  const at = ({ hop }: { hop: number }) => (isRow ? `, bottleneck ${hop}` : '');
  const capacities = capacitiesOf(course, count).map(({ hop, direction, values }) => ({
    label: `capacity${direction === 'up' ? ', up' : ''}${at({ hop })}`,
    colour: direction === 'down' ? 6 : 7,
    values: inMbit(values),
    stepped: true,
    dashed: true,
  }));
  const once = lastOf(course);
  const lines = once.map((flow, k) => ({
    label: flow.name,
    colour: k,
    values: inMbit(ratesOf(flow, course, count)),
  }));
  // an estimate is of the sender, whatever the bottleneck
  const estimated = once.flatMap(({ name, estimateBps }, k) =>
    withEstimates && estimateBps.some(value => value !== null)
      ? [{ label: `${name}, estimate`, colour: k, values: estimates(estimateBps, count), stepped: true }]
      : [],
  );
  const waits = course.flows.map(flow => ({
    label: `${flow.name}${at(flow)}`,
    colour: once.findIndex(({ name }) => name === flow.name),
    values: delays(flow.delayMs, count),
  }));
  return html`<h4>Rates at the bottleneck</h4>
${seriesChart({ title, x, y: { label: 'Mbit/s', min: 0 }, lines: [...lines, ...estimated, ...capacities], height: 200 })}
<h4>Time in the queue</h4>
${seriesChart({ title, x, y: { label: 'ms', min: 0 }, lines: waits, height: 160 })}`;
}

function cellHtml(cell: CellSummary, report: ConformanceReport): Html {
  const { summary, shown } = report;
  const { title, source, differs, withoutEcn } = summary.cases.find(({ id }) => id === cell.case)!;
  const sender = summary.senders.find(({ name }) => name === cell.sender)!.title;
  const trial = shown.get(cell.condition!);
  const withEstimates = cell.expectations.some(({ measure }) => measure.includes('estimate'));
  const without = cell.without.map(id => quantityOf(summary.quantities, id).title);
  return html`<details><summary>${cell.case}, ${sender}: ${verdictHtml(cell.verdict!)}</summary>
<div id="${anchorOf(cell)}"><p>${title}. ${source}.${differs === undefined ? null : ` ${differs}`}
${withoutEcn === undefined ? null : `A sender without ECN: ${withoutEcn}`}</p>
<table><thead><tr><th>Expectation</th><th>Span</th><th>Bound</th><th>Measured</th><th>Verdict</th><th>In virtual time</th></tr></thead>
<tbody>${cell.expectations.map(one => rowHtml(one, report))}</tbody></table>
${without.length === 0 ? null : html`<p class="note">Without a value for this sender: ${without.join(', ')}.</p>`}
${cell.virtual?.notRun == null ? null : html`<p class="note">Not run in virtual time: ${cell.virtual.notRun}.</p>`}
${trial === undefined ? null : html`<h4>Trial ${trial.trial}</h4>${charts(trial.course, `${cell.case}, ${sender}`, withEstimates)}`}</div></details>`;
}

export const plugin: ReportSection<ConformanceReport> = {
  id: 'trials',
  title: 'Case by case',
  source: 'RFC 8867, section 4.1',
  params: object({}),
  order: 20,
  render: report => {
    const cells = report.summary.cells.filter(({ verdict }) => verdict !== null);
    if (cells.length === 0) return null;
    return html`<p class="note">Measured: medians of the trials, with intervals. The charts show one trial of each.</p>
${cells.map(cell => cellHtml(cell, report))}`;
  },
};
