/** Metric: lip-sync, the difference of the delays of voice and picture. */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { lipSync } from '../../derive/voice/lip-sync.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'lip-sync',
  title: 'Lip-sync',
  source: 'own; ITU-R BT.1359-1 (1998) for what viewers notice',
  params: object({}),
  reading: {
    needs: '`live-clip` with `audio`. A browser that sends does not tell when it captured a frame.',
    cannotTell:
      'The delays of screen and loudspeaker. Viewers notice a voice that is 45 ms early or 125 ms late, and do not ' +
      'accept 90 ms early or 185 ms late (ITU-R BT.1359-1).',
    definitions: {
      'lip-sync-median':
        'Median over the chirps of the window: delay of the chirp from mouth to ear minus the latency of the frames that ' +
        'were captured at the same moment. Positive: the voice is late.',
      'lip-sync-spread': '95th minus 5th percentile of the same.',
    },
  },
  quantities: [
    { id: 'lip-sync-median', title: 'Voice later than picture, median', unit: 'ms', better: null },
    { id: 'lip-sync-spread', title: 'Voice later than picture, spread', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const errors = ascending((await lipSync(record)).map(({ errorMs }) => errorMs));
    const at = (share: number) => quantileOfSorted(errors, share) ?? null;
    const [low, high] = [at(0.05), at(0.95)];
    return { 'lip-sync-median': at(0.5), 'lip-sync-spread': low === null || high === null ? null : high - low };
  },
};
