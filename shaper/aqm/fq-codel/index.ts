/** FQ-CoDel: a queue for each flow, served in turn with priority for sparse flows, each managed by CoDel. */
import { duration, integer, object, type z } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({
  target: duration({ moreThan: 0, max: 1000 }).default(5).describe('Acceptable standing queue delay.'),
  interval: duration({ moreThan: 0, max: 10e3 })
    .default(100)
    .describe('Time for which the target may be exceeded: a worst-case round-trip time.'),
  flows: integer({ min: 1, max: 65_536 }).default(1024).describe('Number of queues that flows are hashed into.'),
  quantum: integer({ min: 256, max: 65_536 }).default(1514).describe('Bytes that a queue may send per round.'),
});

export const plugin: AqmPlugin<z.output<typeof params>> = {
  id: 'fq-codel',
  title: 'FQ-CoDel',
  source: 'RFC 8290; tc-fq_codel(8)',
  params,
  tc: ({ target, interval, flows, quantum }, { packets, ecn }) => ({
    kind: 'fq_codel',
    words:
      `limit ${packets} flows ${flows} quantum ${quantum} target ${target * 1000}us interval ${interval * 1000}us ` +
      `${ecn ? 'ecn' : 'noecn'}`,
  }),
  emulate: ({ target, interval, flows, quantum }) => ({
    kind: 'fq-codel',
    targetUs: target * 1000,
    intervalUs: interval * 1000,
    flows,
    quantumBytes: quantum,
  }),
  law: ({ target, interval }, largestBytes) => ({
    kind: 'codel',
    targetMs: target,
    intervalMs: interval,
    sparedBytes: largestBytes,
  }),
};
