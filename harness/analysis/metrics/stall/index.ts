/**
 * Metric: stalls. One kind is 200 ms without a new frame, as in the paper, or five frame periods
 * (core/vocabulary/stalls.ts). The other kind uses the threshold that the study chose (measure.stall).
 */
import { object } from '../../../../core/schema/schema.ts';
import { limitWords, smoothRule, stallRule } from '../../../../core/vocabulary/stalls.ts';
import { presentedSeries } from '../../../record/series/frames.presented.ts';
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
      'stall-count':
        `Gaps between presented frames that touch the window and are longer than ${limitWords(stallRule)}; or than ` +
        '`measure.headlineStall` where the study sets it. Of a gap with a planned pause of the sender only the part after ' +
        'the pause counts.',
      'stall-time': 'Sum of the parts of these gaps inside the window.',
      'stall-rate': 'Number of these gaps per minute of the window.',
      'stall-share': 'Their time as a share of the window.',
      'study-stall-count': `As \`stall-count\`, with the threshold \`measure.stall\`: without it, ${limitWords(smoothRule)}.`,
      'study-stall-time': 'As `stall-time`, with that threshold.',
    },
  },
  quantities: [
    { id: 'stall-count', title: 'Stalls', unit: '', better: 'lower' },
    { id: 'stall-time', title: 'Stalled time', unit: 's', better: 'lower' },
    { id: 'stall-rate', title: 'Stalls a minute', unit: '1/min', better: 'lower' },
    { id: 'stall-share', title: 'Stalled share of the window', unit: 'ratio', better: 'lower' },
    { id: 'study-stall-count', title: "Stalls, by the study's threshold", unit: '', better: 'lower' },
    { id: 'study-stall-time', title: "Stalled time, by the study's threshold", unit: 's', better: 'lower' },
  ],
  async compute(record) {
    if ((await record.read(presentedSeries)).length === 0)
      return Object.fromEntries(plugin.quantities.map(({ id }) => [id, null]));
    const [main, studys] = await Promise.all([stallsOf(record), stallsOf(record, record.gapLimits.ownStallMs)]);
    const seconds = (stalls: typeof main) =>
      stalls.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
    return {
      'stall-count': main.length,
      'stall-time': seconds(main),
      // sums grow with the window: these two can be compared with other windows
      'stall-rate': (main.length * 60) / record.windowS,
      'stall-share': seconds(main) / record.windowS,
      'study-stall-count': studys.length,
      'study-stall-time': seconds(studys),
    };
  },
};
