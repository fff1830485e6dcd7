/** PIE: drops arriving packets with a probability that a controller adjusts to the queue's delay. */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  target: duration({ moreThan: 0, max: 1000 }).default(15).describe('Target queue delay.'),
  update: duration({ min: 1, max: 1000 }).default(15).describe('Interval at which the drop probability is updated.'),
});

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'pie',
  title: 'PIE',
  source: 'RFC 8033; tc-pie(8)',
  params,
  tc: ({ target, update }, { packets, ecn }) => ({
    kind: 'pie',
    words: `limit ${packets} target ${target * 1000}us tupdate ${update * 1000}us ${ecn ? 'ecn' : 'noecn'}`,
  }),
  emulate: ({ target, update }) => ({ kind: 'pie', targetUs: target * 1000, updateUs: update * 1000 }),
  law: ({ target, update }) => ({ kind: 'pie', targetMs: target, updateMs: update }),
};
