/** Table of what the viewer saw, with a row for each condition. */
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import { conditionCell, disturbedCell, disturbedWords, shownTitle, shownValue, shownValues } from '../../disturbed.ts';
import { formatNumber, formatValue } from '../../format.ts';
import { displayNote, stallLimitWords } from '../../gap-words.ts';
import { type Html, html } from '../../html.ts';
import { bracketsLine, conditionLabel, isWithoutTrials, type ReportData } from '../../report.ts';
import { isCall, isRate, ratesOf } from '../../subject-rate.ts';
import { lengthWords, motionOf, smoothWords, stallsOf } from './seen.ts';

type Column = {
  title: string;
  cell: (own: ConditionSummary) => Html;
  isKnown: (own: ConditionSummary) => boolean;
  /** True if the column is about presented frames. Then the caption explains them. */
  isFrames: boolean;
  /** Text for the caption if the column is a total over all trials. Undefined if the column is a median. */
  sum?: string;
};

const medians: readonly [title: string, id: string][] = [
  ['Goodput', 'goodput'],
  ['Rate at the bottleneck', 'wire-rate'],
  ['Frame latency, median', 'frame-latency-median'],
  ['Frame latency, 95th percentile', 'frame-latency-p95'],
  ['Round-trip time, mean', 'rtt-mean'],
];

function columnsOf(report: ReportData): Column[] {
  const { plan, summary } = report;
  const rates = ratesOf(summary);
  const motion = (own: ConditionSummary) => motionOf(own, plan.conditions.find(({ id }) => id === own.id)!, report);
  const median = (title: string, id: string): Column => ({
    title,
    isFrames: /^(frame|stall)-/.test(id),
    isKnown: own => shownValue(own, id) !== null,
    cell: own => conditionCell(own, id, summary),
  });
  const isDecoded = summary.conditions.some(own => motion(own).rate !== null && !motion(own).isShown);
  const all: Column[] = [
    {
      title: isDecoded ? 'Frame rate (decoded)' : 'Frame rate',
      isFrames: true,
      isKnown: own => motion(own).rate !== null,
      cell: own => conditionCell(own, motion(own).rateId, summary),
    },
    median('Frame rate, harmonic mean', 'frame-rate-harmonic'),
    {
      title: 'Stalls, all trials',
      sum: '"Stalls" (number and sum of all trials)',
      isFrames: true,
      isKnown: own => stallsOf(own.id, summary).trials > 0,
      cell: own => {
        const { trials, affected, count, seconds } = stallsOf(own.id, summary);
        if (trials === 0) return html`<td>\u2013</td>`;
        if (own.disturbed !== null) return disturbedCell(`${count}, ${formatValue(seconds, 's')}`);
        const sum = html`<small>${formatValue(seconds, 's')} in ${affected} of ${trials}</small>`;
        return html`<td>${count}${count === 0 ? null : sum}</td>`;
      },
    },
    {
      title: 'Stalls a minute, all trials',
      sum: '"Stalls a minute" (all trials together)',
      isFrames: true,
      isKnown: own => stallsOf(own.id, summary).trials > 0,
      cell: own => {
        const { trials, count } = stallsOf(own.id, summary);
        if (trials === 0) return html`<td>\u2013</td>`;
        const words = formatNumber((count * 60e3) / (trials * plan.run.windowMs), '1/min');
        return own.disturbed === null ? html`<td>${words}</td>` : disturbedCell(words);
      },
    },
    median('Stalled share of the window', 'stall-share'),
    {
      title: 'Longest gap, all trials',
      sum: '"Longest gap" (the longest of all trials)',
      isFrames: true,
      isKnown: own => stallsOf(own.id, summary).longest !== null,
      cell: own => {
        const { longest } = stallsOf(own.id, summary);
        if (longest === null) return html`<td>\u2013</td>`;
        const words = lengthWords(longest, valueMs => formatNumber(valueMs, 'ms'));
        return own.disturbed === null ? html`<td>${words}</td>` : disturbedCell(words);
      },
    },
    ...medians
      .filter(([, id]) => !isRate(id) || rates.includes(id))
      .map(([title, id]) => median(id === 'goodput' && plan.conditions.every(isCall) ? 'Bitrate' : title, id)),
    {
      title: 'Round-trip time, largest p95',
      sum: '"largest p95" (the largest 95th percentile of any trial)',
      isFrames: false,
      isKnown: own => shownValue(own, 'rtt-p95') !== null,
      cell: own => {
        const all = shownValues(own, summary, 'rtt-p95');
        if (all.length === 0) return html`<td>\u2013</td>`;
        const words = formatValue(Math.max(...all), 'ms');
        return own.disturbed === null ? html`<td>${words}</td>` : disturbedCell(words);
      },
    },
  ];
  return all.filter(({ isKnown }) => summary.conditions.some(isKnown));
}

const conditionsAreJudged = (report: ReportData) =>
  report.summary.conditions.some(
    own => motionOf(own, report.plan.conditions.find(({ id }) => id === own.id)!, report).judged > 0,
  );

const framesSaid = (report: ReportData): Html =>
  html`A stall is a gap between presented frames of more than ${stallLimitWords(report.plan)}. A gap is given as a range
where the browser's callbacks missed frames in it, so that its exact length is not known. Frame latency: from capture to
presentation, median and 95th percentile of the frames of a trial.
${conditionsAreJudged(report) ? smoothWords(report.plan) : ''} ${displayNote(report.plan)}`;

/** Returns the table. Null if no condition has a value. */
export function numbersTable(report: ReportData): Html | null {
  const { plan, summary } = report;
  if (summary.conditions.every(({ trials, disturbed }) => trials === 0 && disturbed === null)) return null;
  const columns = columnsOf(report);
  const sums = columns.flatMap(({ sum }) => sum ?? []);
  const disturbed = disturbedWords(summary);
  const notes = [
    ...(isWithoutTrials(report) ? [] : [bracketsLine(report)]),
    ...(disturbed === null ? [] : [disturbed]),
  ];
  const exceptions = sums.length === 0 ? '' : `, but for ${sums.join(' and ')}`;
  const rows = summary.conditions.map(own => {
    const label = conditionLabel(plan.conditions.find(({ id }) => id === own.id)!, report);
    return html`<tr><th scope="row">${shownTitle(own)}<small>${label}</small></th><td>${own.trials}</td>
${columns.map(({ cell }) => cell(own))}</tr>`;
  });
  return html`<figure id="numbers"><div class="scroll"><table>
<thead><tr><th scope="col">Condition</th>
<th scope="col">n</th>
${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Medians over trials${exceptions}; ${notes.join('; ')}. ${columns.some(({ isFrames }) => isFrames) ? framesSaid(report) : null}</figcaption></figure>`;
}
