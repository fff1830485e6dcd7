/** Section with the distribution of ICMP round-trip times. */
import { object } from '../../../core/schema/schema.ts';
import { median } from '../../../core/stats/quantile.ts';
import { cdfChart } from '../../charts/cdf-chart.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { html } from '../../html.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';

export const plugin: ReportSection = {
  id: 'rtt-cdf',
  title: 'Distribution of the round-trip time',
  source: 'Juntima et al., Figure 5',
  params: object({}),
  order: 40,
  async render(report) {
    const distributions = [];
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const trips = await overTrials(shownRecords(report, condition.id), record => record.pingRoundTrips());
      const values = trips.flatMap(({ rttsMs }) => rttsMs);
      if (values.length > 0) distributions.push({ ...shownAs(report.summary, condition.id), colour, values });
    }
    if (distributions.length === 0) return null;
    const counts = distributions
      .map(({ label, values }) => `${label} ${values.length} probes, median ${median(values)!.toFixed(1)} ms`)
      .join('; ');
    const chart = cdfChart('Distribution of the round-trip time', 'round-trip time (ms)', 'probes', distributions);
    return html`<figure>${chart}
<figcaption>ICMP at 5 Hz from server to client, all trials of a condition pooled (${trialCounts(report)}): ${counts}.
The probes of one trial are not independent, so no interval is drawn; Table 1 has the interval over trials.
${conditionsNote(report)}</figcaption></figure>`;
  },
};
