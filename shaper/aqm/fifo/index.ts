/** Drop-tail: pfifo for a limit in packets, bfifo for one in bytes or time. */
import { object } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

const params = object({});

export const plugin: AqmPlugin<Record<string, never>> = {
  id: 'fifo',
  title: 'FIFO',
  source: 'tc-pfifo(8), tc-bfifo(8)',
  params,
  tc: (_, limit) =>
    limit.unit === 'packets'
      ? { kind: 'pfifo', words: `limit ${limit.packets}` }
      : { kind: 'bfifo', words: `limit ${limit.bytes}` },
  emulate: () => ({ kind: 'fifo' }),
  shell: () => ({ type: 'droptail', args: {} }),
  law: () => ({ kind: 'tail' }),
  refuse: ({ ecn }) => (ecn ? 'a FIFO has nothing to mark: choose an AQM, or leave link.queue.ecn out' : null),
};
