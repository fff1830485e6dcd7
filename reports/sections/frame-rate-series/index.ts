/** Section with the number of frames presented per second over time, and marks for the stalls. */

import { object } from '../../../core/schema/schema.ts';
import { binCount } from '../../../core/stats/binned.ts';
import { counted } from '../../../core/text/counted.ts';
import { phasesOf } from '../../charts/phases.ts';
import { type ChartLine, type ChartMark, seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { shownAs, shownRecords, shownValue } from '../../disturbed.ts';
import { stallLimitWords } from '../../gap-words.ts';
import { html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';

const binMs = 1000;
/** Maximum number of marks. More marks would cover the chart with one grey area. */
const mostMarks = 500;

function longest(marks: readonly ChartMark[]): ChartMark[] {
  if (marks.length <= mostMarks) return [...marks];
  const length = ({ from, to }: ChartMark) => to - from;
  return [...marks].sort((a, b) => length(b) - length(a)).slice(0, mostMarks);
}

export const plugin: ReportSection = {
  id: 'frame-rate-series',
  title: 'Frame rate over time',
  source: 'Juntima et al., Figure 8',
  params: object({}),
  order: 70,
  async render(report) {
    const lines: ChartLine[] = [];
    const drawn = [];
    const marks: ChartMark[] = [];
    let bins = 0;
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const records = shownRecords(report, condition.id);
      const own = report.summary.conditions.find(({ id }) => id === condition.id)!;
      // a service without frames has no frame rate, which is not a rate of 0
      if (records.length === 0 || shownValue(own, 'frame-rate') === null) continue;
      const shown = shownAs(report.summary, condition.id);
      drawn.push({ title: shown.label, records });
      bins = Math.max(bins, binCount(records[0]!.window, binMs));
      lines.push(trialLine(shown, colour, await overTrials(records, record => record.presentedPerBin(binMs)), true));
      const names = new Set(records.map(({ file }) => `${file.trial.id} ${file.attempt}`));
      for (const { file, stalls } of report.details) {
        if (!names.has(`${file.trial.id} ${file.attempt}`)) continue;
        for (const { fromS, toS, label } of stalls)
          marks.push({
            from: fromS,
            to: toS,
            label: `${condition.title}, repeat ${file.trial.repeat}: ${label}`,
            colour,
          });
      }
    }
    if (lines.length === 0) return null;
    const { stops, caption } = await linkStops(drawn);
    const most = Math.max(...report.summary.conditions.map(condition => condition.trials));
    const stalls = counted(marks.length, 'stall');
    const notAll = marks.length > mostMarks ? `; the ${mostMarks} longest are drawn` : '';
    return html`<figure>${seriesChart({
      title: 'Frame rate over time',
      x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
      y: { label: 'fps', min: 0 },
      lines,
      marks: longest(marks),
      phases: phasesOf(report),
      stops: stops.flat(),
      height: 280,
    })}<figcaption>Frames that the browser presented, per second. Shaded: the ${stalls} (more than
${stallLimitWords(report.plan)} without a new frame) of all trials, in the colour of their condition, with a strip for each condition at the bottom${notAll}.
${lineCaption(most)} ${caption} ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
