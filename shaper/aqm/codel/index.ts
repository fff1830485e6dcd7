/** CoDel: one queue that drops packets at its head, by their waiting time. */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  target: duration({ moreThan: 0, max: 1000 }).default(5).describe('Acceptable standing queue delay.'),
  interval: duration({ moreThan: 0, max: 10e3 })
    .default(100)
    .describe('Time for which the target may be exceeded: a worst-case round-trip time.'),
});

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'codel',
  title: 'CoDel',
  source: 'RFC 8289; tc-codel(8)',
  params,
  tc: ({ target, interval }, { packets, ecn }) => ({
    kind: 'codel',
    words: `limit ${packets} target ${target * 1000}us interval ${interval * 1000}us ${ecn ? 'ecn' : 'noecn'}`,
  }),
  emulate: ({ target, interval }) => ({ kind: 'codel', targetUs: target * 1000, intervalUs: interval * 1000 }),
  shell: ({ target, interval }) =>
    [target, interval].every(ms => Number.isInteger(ms) && ms > 0)
      ? { type: 'codel', args: { target, interval } }
      : "mm-link's CoDel has whole ms: round link.queue.aqm.target and interval",
  law: ({ target, interval }, largestBytes) => ({
    kind: 'codel',
    targetMs: target,
    intervalMs: interval,
    sparedBytes: largestBytes,
  }),
};
