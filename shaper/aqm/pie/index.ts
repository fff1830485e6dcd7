/** PIE: drops arriving packets with a probability that a controller adjusts to the queue's delay. */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  target: duration({ moreThan: 0, max: 1000 }).default(15).describe('Target queue delay.'),
  update: duration({ min: 1, max: 1000 }).default(15).describe('Interval at which the drop probability is updated.'),
});

/** Interval at which mm-link's PIE updates its probability, and the start for which it spares bursts, ms. */
const shell = { updateMs: 30, burstMs: 150 } as const;

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
  shell: ({ target, update }) =>
    update !== shell.updateMs
      ? `mm-link's PIE updates its probability every ${shell.updateMs} ms: set link.queue.aqm.update=${shell.updateMs}ms`
      : Number.isInteger(target) && target > 0
        ? { type: 'pie', args: { qdelay_ref: target, max_burst: shell.burstMs } }
        : "mm-link's PIE has whole ms: round link.queue.aqm.target",
  law: ({ target, update }) => ({ kind: 'pie', targetMs: target, updateMs: update }),
};
