/** Stalls as the paper defines them: more than 200 ms without a new picture. */
import { object } from '../../base/schema.ts';
import { stallsOf } from '../../derive/stalls.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'stall',
  title: 'Stalls',
  source: 'Juntima et al., section 3.2: stall events',
  params: object({}),
  quantities: [
    { id: 'stall-count', title: 'Stalls (> 200 ms)', unit: '', better: 'lower' },
    { id: 'stall-time', title: 'Stalled time (> 200 ms)', unit: 's', better: 'lower' },
  ],
  async compute(record) {
    if ((await record.presentedFrames()).length === 0) return { 'stall-count': null, 'stall-time': null };
    const stalls = await stallsOf(record);
    return {
      'stall-count': stalls.length,
      'stall-time': stalls.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000,
    };
  },
};
