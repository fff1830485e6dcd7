/** Metric: height of the frames that the viewer's screen showed for most of the time. */
import { object } from '../../../../core/schema/schema.ts';
import { presentedSeries } from '../../../record/series/frames.presented.ts';
import { majoritySize } from '../../derive/frame-size.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'frame-size',
  title: 'Frame size',
  source: 'Philip et al. (Prudentia), majority resolution; WICG video-rvfc, height',
  params: object({}),
  reading: {
    needs: 'A call (`live-clip`, `chromium-call`).',
    cannotTell: 'How often the size changed.',
    definitions: {
      'frame-height': 'Height of the frames that were on the screen for most of the window.',
    },
  },
  quantities: [{ id: 'frame-height', title: 'Frame height, most of the time', unit: 'px', better: 'higher' }],
  async compute(record) {
    return { 'frame-height': majoritySize(await record.read(presentedSeries), record.window)?.height ?? null };
  },
};
