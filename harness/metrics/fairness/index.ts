/** How the link was shared between the media and the flood. */
import { object } from '../../base/schema.ts';
import { floodGoodputBps, mediaGoodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

/** Jain's index of two rates: 0.5 when one has everything, 1 when they are equal (Jain, Chiu, Hawe, 1984). */
export function jainIndex(a: number, b: number): number | null {
  const squares = 2 * (a * a + b * b);
  return squares === 0 ? null : (a + b) ** 2 / squares;
}

export const plugin: MetricPlugin = {
  id: 'fairness',
  title: 'Fairness',
  source: 'Juntima et al., section 3.2, J of media and flood',
  params: object({}),
  quantities: [{ id: 'jain-index', title: 'Jain\'s index of media and flood', unit: '', better: null }],
  async compute(record) {
    const [media, flood] = await Promise.all([mediaGoodputBps(record), floodGoodputBps(record)]);
    return { 'jain-index': media === null || flood === null ? null : jainIndex(media, flood) };
  },
};
