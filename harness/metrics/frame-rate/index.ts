/** Pictures a second: presented by the browser, and decoded. */
import { object } from '../../base/schema.ts';
import { growth } from '../../derive/counters.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import { gapsInWindow, presentationTimes } from '../../derive/presentation.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'frame-rate',
  title: 'Frame rate',
  source: 'Juntima et al., section 4, figure 8; WICG video-rvfc, presentedFrames',
  params: object({}),
  quantities: [
    { id: 'frame-rate', title: 'Frame rate, decoded', unit: '1/s', better: 'higher' },
    { id: 'presented-frame-rate', title: 'Frame rate, presented', unit: '1/s', better: 'higher' },
    { id: 'frame-gap-max', title: 'Longest time without a new picture', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const times = presentationTimes(await record.presentedFrames());
    const { startMs, endMs } = record.window;
    const decoded = growth(await inboundCounter(record, 'framesDecoded'), record.window);
    return {
      'frame-rate': decoded === null ? null : decoded / record.windowS,
      'presented-frame-rate': times.length === 0 ? null : times.filter(time => time > startMs && time <= endMs).length / record.windowS,
      'frame-gap-max': times.length === 0 ? null : gapsInWindow(times, record.window).reduce((longest, gap) => Math.max(longest, gap.lengthMs), 0),
    };
  },
};
