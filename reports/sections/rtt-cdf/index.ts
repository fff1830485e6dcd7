/** Distribution of the ICMP round trips. */
import { object } from '../../../harness/base/schema.ts';
import { pingRoundTrips } from '../../../harness/derive/round-trips.ts';
import { ascending, quantileOfSorted } from '../../../harness/stats/quantile.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { html } from '../../html.ts';
import { conditionsLine, trialCounts } from '../../report.ts';
import type { ReportSection } from '../../report.ts';

/** Points of the x axis, spread evenly on its logarithmic scale. */
const points = 240;

/** Share of the values at or below x. */
function cdfAt(sorted: readonly number[], x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

export const plugin: ReportSection = {
  id: 'rtt-cdf',
  title: 'Figure 5: distribution of the round trip',
  source: 'Juntima et al., Figure 5',
  params: object({}),
  order: 40,
  async render(report) {
    const conditions = [];
    for (const [colour, condition] of report.plan.conditions.entries()) {
      const records = report.records.get(condition.id) ?? [];
      const rtts = (await Promise.all(records.map(record => pingRoundTrips(record)))).flatMap(({ rttsMs }) => rttsMs);
      if (rtts.length > 0) conditions.push({ title: condition.title, colour, sorted: ascending(rtts) });
    }
    if (conditions.length === 0) return null;
    const least = Math.min(...conditions.map(c => c.sorted[0]!));
    const most = Math.max(...conditions.map(c => c.sorted.at(-1)!));
    const from = Math.log10(Math.max(0.01, least * 0.8));
    const to = Math.log10(most * 1.1);
    const xs = Array.from({ length: points }, (_, i) => Number((10 ** (from + (to - from) * i / (points - 1))).toPrecision(4)));
    const counts = conditions.map(c => `${c.title} ${c.sorted.length} probes, median ${quantileOfSorted(c.sorted, 0.5)!.toFixed(1)} ms`).join('; ');
    return html`<figure>${seriesChart({
      title: 'Distribution of the round trip', x: { label: 'round trip (ms)', values: xs, log: true }, y: { label: 'share of probes', min: 0, max: 1 },
      lines: conditions.map(c => ({ label: c.title, colour: c.colour, values: xs.map(x => Number(cdfAt(c.sorted, x).toFixed(4))), stepped: true })), height: 280,
    })}<figcaption>ICMP at 5 Hz from server to client, all trials of a condition pooled (${trialCounts(report)}): ${counts}. The probes of one trial are not independent, so no interval is drawn; Table 1 has it over trials. ${conditionsLine(report)}.</figcaption></figure>`;
  },
};
