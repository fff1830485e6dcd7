/** Where the time of a picture goes between being taken and being presented. */
import { object } from '../../../harness/base/schema.ts';
import { latencyParts } from '../../../harness/derive/timeline/latency-parts.ts';
import type { LatencyParts } from '../../../harness/derive/timeline/latency-parts.ts';
import { frameParts } from '../../../harness/derive/timeline/frame-parts.ts';
import type { FramePart } from '../../../harness/derive/timeline/frame-parts.ts';
import { median } from '../../../harness/stats/quantile.ts';
import { stackChart } from '../../charts/stack-chart.ts';
import { formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import { conditionsLine } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';

const partNames: Record<FramePart, string> = {
  'encoder': 'encoder', 'pacer': 'pacer', 'queue': 'bottleneck queue', 'wire': 'wire', 'repair': 'repair', 'jitter-buffer': 'jitter buffer', 'decode': 'decoding',
};

async function partsOf(report: ReportData, condition: string): Promise<LatencyParts[]> {
  const parts: LatencyParts[] = [];
  for (const record of report.records.get(condition) ?? []) {
    const own = await latencyParts(record);
    if (own !== undefined) parts.push(own);
  }
  return parts;
}

const middle = (values: readonly number[]) => median(values)!;

export const plugin: ReportSection = {
  id: 'frame-latency-stack',
  title: 'Where a picture\'s time goes',
  source: 'own',
  params: object({}),
  order: 74,
  async render(report) {
    const conditions: { title: string; trials: LatencyParts[] }[] = [];
    for (const { id, title } of report.plan.conditions) {
      const trials = await partsOf(report, id);
      if (trials.length > 0) conditions.push({ title, trials });
    }
    if (conditions.length === 0) return null;
    const counts = conditions.map(({ title, trials }) => `${title} ${trials.reduce((sum, { pictures }) => sum + pictures, 0)} pictures of ${trials.length} ${trials.length === 1 ? 'trial' : 'trials'}, `
      + `whole latency ${formatValue(middle(trials.map(({ wholeMs }) => wholeMs)), 'ms')}`);
    const blind = conditions.filter(({ trials }) => trials.some(({ hasQueueLog }) => !hasQueueLog)).map(({ title }) => title);
    return html`<figure>${stackChart({
      title: 'Time from capture to presentation', unit: 'ms', parts: frameParts.map((part, colour) => ({ name: partNames[part], colour })),
      bars: conditions.map(({ title, trials }) => ({ label: title, values: frameParts.map(part => middle(trials.map(({ medianMs }) => medianMs[part]))) })),
    })}<figcaption>Median of each part over the pictures of a trial that were presented, then over trials: ${counts.join('; ')}. Medians of parts need not add up to the median of the whole.
The browser's wait for its compositor counts as jitter buffer.${blind.length === 0 ? '' : ` Without a log of the queue (${blind.join(', ')}) the time in it counts as wire.`} ${conditionsLine(report)}.</figcaption></figure>`;
  },
};
