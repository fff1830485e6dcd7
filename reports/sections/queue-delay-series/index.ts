/** Section with the time that media packets wait in the bottleneck queue, over time. */
import { object } from '../../../core/schema/schema.ts';
import { binCount, meanPerBin } from '../../../core/stats/binned.ts';
import { phasesOf } from '../../charts/phases.ts';
import { type ChartLine, seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';

const binMs = 200;

export const plugin: ReportSection = {
  id: 'queue-delay-series',
  title: 'Queue delay of media packets',
  source: 'own',
  params: object({}),
  order: 52,
  async render(report) {
    const lines: ChartLine[] = [];
    const drawn = [];
    let bins = 0;
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const records = shownRecords(report, condition.id).filter(record => record.file.queueLog !== null);
      if (records.length === 0) continue;
      const shown = shownAs(report.summary, condition.id);
      drawn.push({ title: shown.label, records });
      bins = Math.max(bins, binCount(records[0]!.window, binMs));
      lines.push(
        trialLine(
          shown,
          colour,
          await overTrials(records, async record => meanPerBin(await record.ownDelays(), record.window, binMs)),
        ),
      );
    }
    if (lines.length === 0) return null;
    const { stops, caption } = await linkStops(drawn);
    const most = Math.max(...report.summary.conditions.map(condition => condition.trials));
    return html`<figure>${seriesChart({
      title: 'Queue delay of media packets',
      x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
      y: { label: 'ms', min: 0 },
      lines,
      phases: phasesOf(report),
      stops: stops.flat(),
      height: 280,
    })}<figcaption>Time that media packets spend in the bottleneck queue, median of each 100 ms, from the queue log.
${lineCaption(most)} ${caption} ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
