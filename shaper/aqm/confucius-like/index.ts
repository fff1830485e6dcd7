/** A queue for each flow that moves capacity from flows with short queues to new flows slowly. See README.md. */
import { duration, integer, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  halving: duration({ min: 1, max: 10e3 })
    .default(430)
    .describe(
      'Time in which the excess of a flow over its fair share halves. 430 ms: GCC multiplies its rate by 0.85 at most ' +
        'once per round-trip time, here 100 ms.',
    ),
  standing: duration({ min: 1, max: 1000 })
    .default(40)
    .describe('Mean queue delay above which a flow counts as heavy, until it is less than half of this.'),
  forget: duration({ min: 1, max: 60e3 })
    .default(500)
    .describe('Time without a waiting packet after which a flow counts no more.'),
  flows: integer({ min: 1, max: 65_536 }).default(1024).describe('Number of queues that flows are hashed into.'),
});

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'confucius-like',
  title: 'Confucius-like',
  source: 'after Meng et al., arXiv 2310.18030; own where the description is not detailed',
  params,
  tc: () => null,
  emulate: ({ halving, standing, forget, flows }) => ({
    kind: 'confucius-like',
    halvingUs: halving * 1000,
    standingUs: standing * 1000,
    forgetUs: forget * 1000,
    flows,
  }),
  law: () => ({ kind: 'tail' }),
  refuse: ({ ecn }) =>
    ecn ? 'a Confucius-like queue marks nothing: choose another AQM, or leave link.queue.ecn out' : null,
};
