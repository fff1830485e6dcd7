/** Section with the number of frames presented per second over time, and marks for the stalls. */

import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import type { ChartMark } from '../../charts/series-chart.ts';
import { conditionLines } from '../../condition-lines.ts';
import { shownRecords, shownValue } from '../../disturbed.ts';
import { stallLimitWords } from '../../gap-words.ts';
import { html } from '../../html.ts';
import type { ReportData, ReportSection } from '../../report.ts';

const binMs = 1000;
/** Maximum number of marks. More marks would cover the chart with one grey area. */
const mostMarks = 500;

function longest(marks: readonly ChartMark[]): ChartMark[] {
  if (marks.length <= mostMarks) return [...marks];
  const length = ({ from, to }: ChartMark) => to - from;
  return [...marks].sort((a, b) => length(b) - length(a)).slice(0, mostMarks);
}

/** Returns the trials with frames: a service without frames has no frame rate, which is not a rate of 0. */
function recordsOf(report: ReportData, { id }: Condition): TrialView[] {
  const own = report.summary.conditions.find(condition => condition.id === id)!;
  return shownValue(own, 'frame-rate') === null ? [] : shownRecords(report, id);
}

/** Returns the stalls of the shown trials of a condition. */
function marksOf(report: ReportData, condition: Condition, colour: number): ChartMark[] {
  const names = new Set(recordsOf(report, condition).map(({ file }) => `${file.trial.id} ${file.attempt}`));
  return report.details
    .filter(({ file }) => names.has(`${file.trial.id} ${file.attempt}`))
    .flatMap(({ file, stalls }) =>
      stalls.map(({ fromS, toS, label }) => ({
        from: fromS,
        to: toS,
        label: `${condition.title}, repeat ${file.trial.repeat}: ${label}`,
        colour,
      })),
    );
}

export const plugin: ReportSection = {
  id: 'frame-rate-series',
  title: 'Frame rate over time',
  source: 'Juntima et al., Figure 8',
  params: object({}),
  order: 70,
  render: report => {
    const marks = report.plan.conditions.flatMap((condition, colour) => marksOf(report, condition, colour));
    const stalls = counted(marks.length, 'stall');
    const notAll = marks.length > mostMarks ? `; the ${mostMarks} longest are drawn` : '';
    return conditionLines(report, {
      title: 'Frame rate over time',
      unit: 'fps',
      binMs,
      recordsOf: condition => recordsOf(report, condition),
      perBin: record => record.presentedPerBin(binMs),
      stepped: true,
      marks: longest(marks),
      about: html`Frames that the browser presented, per second. Shaded: the ${stalls} (more than
${stallLimitWords(report.plan)} without a new frame) of all trials, in the colour of their condition, with a strip for each condition at the bottom${notAll}.`,
    });
  },
};
