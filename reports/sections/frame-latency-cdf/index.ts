/** Section with the distribution of the time from the capture of a frame to its presentation. */
import { object } from '../../../core/schema/schema.ts';
import { median } from '../../../core/stats/quantile.ts';
import { cdfChart } from '../../charts/cdf-chart.ts';
import { shownAs, shownRecords, shownTitle, shownValue } from '../../disturbed.ts';
import { formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';

export const plugin: ReportSection = {
  id: 'frame-latency-cdf',
  title: 'Distribution of the frame latency',
  source: 'own',
  params: object({}),
  order: 72,
  async render(report) {
    const distributions = [];
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const frames = await overTrials(shownRecords(report, condition.id), record => record.frameLatencies());
      // a clock error larger than the latency would make the latency negative
      const values = frames
        .flat()
        .map(({ latencyMs }) => latencyMs)
        .filter(latencyMs => latencyMs > 0);
      if (values.length > 0) distributions.push({ ...shownAs(report.summary, condition.id), colour, values });
    }
    if (distributions.length === 0) return null;
    const shares = report.summary.conditions.flatMap(own => {
      const share = shownValue(own, 'frame-latency-share');
      return share === null ? [] : [`${shownTitle(own)} ${formatValue(share, 'ratio')}`];
    });
    const counts = distributions
      .map(({ label, values }) => `${label} ${values.length} frames, median ${median(values)!.toFixed(1)} ms`)
      .join('; ');
    return html`<figure>${cdfChart('Distribution of the frame latency', 'frame latency (ms)', 'frames', distributions)}
<figcaption>From capture at the server to the handover to the browser's compositor, all trials of a condition pooled
(${trialCounts(report)}): ${counts}. The frames of one trial are not independent, so no interval is drawn. Frames that
were not presented, or presented without a callback, are not included (share of the presented frames that have a
latency, median over trials: ${shares.join(', ')}). ${conditionsNote(report)}</figcaption></figure>`;
  },
};
