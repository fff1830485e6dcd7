/** Table of what the viewer saw: a row for each condition. */
import { stallThresholdMs } from '../../../core/stalls.ts';
import type { ConditionSummary } from '../../../harness/summary/summary.ts';
import { formatNumber, formatValue, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { bracketsLine, conditionLabel } from '../../report.ts';
import type { ReportData } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';
import { lengthWords, motionOf, smoothRule, stallsOf } from './seen.ts';

type Column = {
  title: string;
  cell: (own: ConditionSummary) => Html;
  isKnown: (own: ConditionSummary) => boolean;
  /** What it is over the trials, where it is no median. */
  sum?: string;
};

/** Columns of medians, by metric. */
const medians: readonly [title: string, id: string][] = [
  ['Bitrate', 'media-goodput'],
  ['Frame latency, median', 'frame-latency-median'],
  ['Frame latency, 95th percentile', 'frame-latency-p95'],
  ['Round-trip time, mean', 'rtt-mean'],
];

function columnsOf(report: ReportData): Column[] {
  const { plan, summary } = report;
  const motion = (own: ConditionSummary) => motionOf(own, plan.conditions.find(({ id }) => id === own.id)!, summary);
  const median = (title: string, id: string): Column => ({
    title,
    isKnown: ({ metrics }) => metrics[id]!.value !== null,
    cell: ({ metrics, trials }) => valueCell(metrics[id]!, quantityOf(summary.quantities, id).unit, { trials }),
  });
  const isDecoded = summary.conditions.some(
    own => own.trials > 0 && motion(own).rate.value !== null && !motion(own).isShown,
  );
  const all: Column[] = [
    {
      title: isDecoded ? 'Frame rate (decoded)' : 'Frame rate',
      isKnown: own => motion(own).rate.value !== null,
      cell: own => valueCell(motion(own).rate, '1/s', { trials: own.trials }),
    },
    median('Frame rate, harmonic mean', 'frame-rate-harmonic'),
    {
      title: 'Stalls, all trials',
      sum: '"Stalls" (number and sum of all trials)',
      isKnown: own => stallsOf(own.id, summary).trials > 0,
      cell: own => {
        const { trials, stalled, count, seconds } = stallsOf(own.id, summary);
        return trials === 0
          ? html`<td>\u2013</td>`
          : html`<td>${count}${count === 0 ? null : html`<small>${formatValue(seconds, 's')} in ${stalled} of ${trials}</small>`}</td>`;
      },
    },
    median('Stalled time', 'stall-time'),
    {
      title: 'Longest gap, all trials',
      sum: '"Longest gap" (the longest of all trials)',
      isKnown: own => stallsOf(own.id, summary).longest !== null,
      cell: own => {
        const { longest } = stallsOf(own.id, summary);
        return html`<td>${longest === null ? '\u2013' : lengthWords(longest, valueMs => formatNumber(valueMs, 'ms'))}</td>`;
      },
    },
    ...medians.map(([title, id]) => median(title, id)),
  ];
  return all.filter(({ isKnown }) => summary.conditions.some(isKnown));
}

/** Whether motion is called smooth or uneven anywhere. */
const conditionsAreJudged = ({ plan, summary }: ReportData) =>
  summary.conditions.some(own => motionOf(own, plan.conditions.find(({ id }) => id === own.id)!, summary).judged > 0);

/** Null where no trial is valid. */
export function numbersTable(report: ReportData): Html | null {
  const { plan, summary } = report;
  if (summary.conditions.every(({ trials }) => trials === 0)) return null;
  const columns = columnsOf(report);
  const sums = columns.flatMap(({ sum }) => sum ?? []);
  return html`<figure id="numbers"><div class="scroll"><table>
<thead><tr><th scope="col">Condition</th><th scope="col">n</th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${summary.conditions.map(own => html`<tr><th scope="row">${own.title}<small>${conditionLabel(plan.conditions.find(({ id }) => id === own.id)!, report)}</small></th><td>${own.trials}</td>${columns.map(({ cell }) => cell(own))}</tr>`)}</tbody></table></div>
<figcaption>Medians over trials${sums.length === 0 ? '' : `, but for ${sums.join(' and ')}`}; ${bracketsLine(report)}. A stall is a gap of more than ${stallThresholdMs} ms between presented frames. A gap is given as a range where the browser's callbacks missed frames in it, so that its exact length is not known. Frame latency: from capture to presentation, median and 95th percentile of the frames of a trial. ${conditionsAreJudged(report) ? smoothRule : ''}</figcaption></figure>`;
}
