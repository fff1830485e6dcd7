/** How much of the link each side got: payload bytes that arrived, over the window. */
import { object } from '../../base/schema.ts';
import { floodGoodputBps, mediaGoodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'goodput',
  title: 'Goodput',
  source: 'Juntima et al., section 3.2: throughput and fairness',
  params: object({}),
  quantities: [
    { id: 'media-goodput', title: 'Media goodput', unit: 'bit/s', better: 'higher' },
    { id: 'flood-goodput', title: 'Flood goodput', unit: 'bit/s', better: null },
    { id: 'link-utilisation', title: 'Link utilisation', unit: 'ratio', better: null },
  ],
  async compute(record) {
    const { bottleneck, condition } = record.file;
    // exact counters of the queue itself, read within milliseconds of the window's ends
    const sent = bottleneck === null ? null : (bottleneck.after.sentBytes - bottleneck.before.sentBytes) * 8000 / (bottleneck.after.timeMs - bottleneck.before.timeMs);
    return {
      'media-goodput': await mediaGoodputBps(record),
      'flood-goodput': await floodGoodputBps(record),
      'link-utilisation': sent === null ? null : sent / condition.link.rateBps,
    };
  },
};
