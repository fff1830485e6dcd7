/** Section with the distribution of the time from the capture of a frame to its presentation. */
import { object } from '../../../core/schema/schema.ts';
import { displayHz } from '../../../core/text/frame-rate.ts';
import { cdfCaption, cdfChart } from '../../charts/cdf-chart.ts';
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
      const trials = frames
        .map(all => all.map(({ latencyMs }) => latencyMs).filter(latencyMs => latencyMs > 0))
        .filter(({ length }) => length > 0);
      if (trials.length > 0) distributions.push({ ...shownAs(report.summary, condition.id), colour, trials });
    }
    if (distributions.length === 0) return null;
    const shares = report.summary.conditions.flatMap(own => {
      const share = shownValue(own, 'frame-latency-share');
      return share === null ? [] : [`${shownTitle(own)} ${formatValue(share, 'ratio')}`];
    });
    return html`<figure>${cdfChart('Distribution of the frame latency', 'frame latency (ms)', 'frames', distributions)}
<figcaption>From capture at the server to the handover to the browser's compositor; ${cdfCaption(distributions)}
${trialCounts(report)}. Differences below one refresh of the display (${(1000 / displayHz).toFixed(1)} ms at ${displayHz} Hz) can come from the phase
between clip and display, which each trial draws anew. Frames that were not presented, or presented without a callback,
are not included (share of the presented frames that have a latency, median over trials: ${shares.join(', ')}).
${conditionsNote(report)}</figcaption></figure>`;
  },
};
