/** DualPI2: a shallow queue for L4S traffic (ECT(1)) and a classic queue, coupled so that both get a fair rate. */
import { duration, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  target: duration({ moreThan: 0, max: 1000 }).default(15).describe('Target delay of the classic queue.'),
  update: duration({ min: 1, max: 1000 }).default(16).describe('Interval at which the probability is updated.'),
  step: duration({ moreThan: 0, max: 100 })
    .default(1)
    .describe('Step threshold of the L4S queue: above this delay packets are marked.'),
});

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'dualpi2',
  title: 'DualPI2',
  source: 'RFC 9332; tc-dualpi2(8)',
  params,
  tc: ({ target, update, step }, { packets }) => ({
    kind: 'dualpi2',
    words: `limit ${packets} target ${target * 1000}us tupdate ${update * 1000}us step_thresh ${step * 1000}us`,
  }),
  // ramp of RFC 9332, appendix A.1, around the step: from 0.8 to 1.2 times the step
  emulate: ({ target, update, step }) => ({
    kind: 'dualpi2',
    targetUs: target * 1000,
    updateUs: update * 1000,
    rampFromUs: step * 800,
    rampRangeUs: step * 400,
  }),
  law: ({ target, update, step }) => ({
    kind: 'dualpi2',
    targetMs: target,
    updateMs: update,
    stepMs: step,
    coupling: 2,
  }),
  refuse: ({ ecn }) => (ecn ? null : 'DualPI2 marks packets: it needs link.queue.ecn=true'),
};
