/**
 * Stalls as the paper defines them, more than 200 ms without a new frame, and by the threshold that the study chose
 * (measure.stall).
 */
import { object } from '../../../core/schema.ts';
import { stallsOf } from '../../derive/stalls.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'stall',
  title: 'Stalls',
  source: 'Juntima et al., section 3.2: stall events',
  params: object({}),
  reading: {
    needs: 'A call (`live-clip`, `chromium-call`).',
    cannotTell: 'What caused a stall (see the causes below), and gaps shorter than the threshold.',
    definitions: {
      'stall-count': 'Gaps between presented frames of more than 200 ms that touch the window.',
      'stall-time': 'Sum of the parts of these gaps inside the window.',
      'study-stall-count': 'As `stall-count`, with the threshold `measure.stall`.',
      'study-stall-time': 'As `stall-time`, with that threshold.',
    },
  },
  quantities: [
    { id: 'stall-count', title: 'Stalls (> 200 ms)', unit: '', better: 'lower' },
    { id: 'stall-time', title: 'Stalled time (> 200 ms)', unit: 's', better: 'lower' },
    { id: 'study-stall-count', title: "Stalls, by the study's threshold", unit: '', better: 'lower' },
    { id: 'study-stall-time', title: "Stalled time, by the study's threshold", unit: 's', better: 'lower' },
  ],
  async compute(record) {
    if ((await record.presentedFrames()).length === 0)
      return { 'stall-count': null, 'stall-time': null, 'study-stall-count': null, 'study-stall-time': null };
    const [papers, studys] = await Promise.all([stallsOf(record), stallsOf(record, record.measure.stallMs)]);
    const seconds = (stalls: typeof papers) =>
      stalls.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
    return {
      'stall-count': papers.length,
      'stall-time': seconds(papers),
      'study-stall-count': studys.length,
      'study-stall-time': seconds(studys),
    };
  },
};
