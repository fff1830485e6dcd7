/** Section with the round-trip time over time. */
import { object } from '../../../core/schema/schema.ts';
import { binCount, meanPerBin } from '../../../core/stats/binned.ts';
import { phasesOf } from '../../charts/phases.ts';
import { type ChartLine, seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';

/** Width of a bin, ms. It equals the interval between two probes, so each bin has one probe. */
const binMs = 200;

export const plugin: ReportSection = {
  id: 'rtt-series',
  title: 'Round-trip time over time',
  source: 'Juntima et al., Figure 6',
  params: object({}),
  order: 50,
  async render(report) {
    const lines: ChartLine[] = [];
    const drawn = [];
    let bins = 0;
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const records = shownRecords(report, condition.id);
      if (records.length === 0) continue;
      const shown = shownAs(report.summary, condition.id);
      drawn.push({ title: shown.label, records });
      bins = Math.max(bins, binCount(records[0]!.window, binMs));
      lines.push(
        trialLine(
          shown,
          colour,
          await overTrials(records, async record =>
            meanPerBin(
              (await record.pings()).flatMap(({ timeMs, rttMs }) => (rttMs === null ? [] : [{ timeMs, value: rttMs }])),
              record.window,
              binMs,
            ),
          ),
        ),
      );
    }
    if (lines.length === 0) return null;
    const { stops, caption } = await linkStops(drawn);
    const most = Math.max(...report.summary.conditions.map(condition => condition.trials));
    return html`<figure>${seriesChart({
      title: 'Round-trip time over time',
      x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
      y: { label: 'ms', min: 0 },
      lines,
      phases: phasesOf(report),
      stops: stops.flat(),
      height: 280,
    })}<figcaption>ICMP at 5 Hz, drawn at the time the probe was sent; lost probes are gaps. ${lineCaption(most)} ${caption}
${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
