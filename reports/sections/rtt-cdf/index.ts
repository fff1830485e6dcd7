/** Section with the distribution of ICMP round-trip times. */
import { object } from '../../../core/schema/schema.ts';
import { cdfCaption, cdfChart } from '../../charts/cdf-chart.ts';
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
      const trials = trips.map(({ rttsMs }) => rttsMs).filter(({ length }) => length > 0);
      if (trials.length > 0) distributions.push({ ...shownAs(report.summary, condition.id), colour, trials });
    }
    if (distributions.length === 0) return null;
    const chart = cdfChart('Distribution of the round-trip time', 'round-trip time (ms)', 'probes', distributions);
    return html`<figure>${chart}
<figcaption>ICMP at 5 Hz from server to client; ${cdfCaption(distributions)} ${trialCounts(report)}.
${conditionsNote(report)}</figcaption></figure>`;
  },
};
