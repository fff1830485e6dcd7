/** Metric: times in which frames came but the picture stood still. */
import { object } from '../../../../core/schema/schema.ts';
import { clipFactsSchema } from '../../../../core/vocabulary/clip-facts.ts';
import { stallsOf } from '../../derive/stalls.ts';
import { stillPicturesOf } from '../../derive/still-picture.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'still-picture',
  title: 'Still picture',
  source: 'own; ITU-T H.264, sections 7.3.3 and 7.3.4, for the size of a frame that repeats the picture',
  params: object({}),
  reading: {
    needs: '`live-clip`, with a clip that does not stand still.',
    cannotTell:
      'A picture that is only coarse, or that changes in a part (see the quality of the picture, ' +
      '`service.pictureQuality`).',
    definitions: {
      'still-picture-count':
        'Times longer than the limit of a stall in which frames were presented, but no frame changed the picture: each ' +
        'had at most 16 bytes for each of its packets, which is what H.264 needs to say that everything stays. It ' +
        'happens where the rate is too low for the size of the picture.',
      'still-picture-time': 'Sum of the parts of these times inside the window, without the stalls in them.',
    },
  },
  quantities: [
    { id: 'still-picture-count', title: 'Times of a still picture', unit: '', better: 'lower' },
    { id: 'still-picture-time', title: 'Time of a still picture', unit: 's', better: 'lower' },
  ],
  async compute(record) {
    const [still, stalls] = await Promise.all([stillPicturesOf(record), stallsOf(record)]);
    const clip = clipFactsSchema.safeParse(record.own?.facts?.clip);
    if (still === null || (clip.success && clip.data.stillRatio > 0))
      return { 'still-picture-count': null, 'still-picture-time': null };
    const within = stalls.filter(stall => still.some(of => stall.startMs < of.endMs && stall.endMs > of.startMs));
    const ms = (gaps: readonly { startMs: number; endMs: number }[]) =>
      gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    return { 'still-picture-count': still.length, 'still-picture-time': (ms(still) - ms(within)) / 1000 };
  },
};
