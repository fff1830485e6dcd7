/** A FIFO that drops its oldest packet, at the head, to make room for an arriving one. */
import { object } from '../../../core/schema/schema.ts';
import type { AqmPlugin } from '../aqm.ts';

export const plugin: AqmPlugin<Record<string, never>> = {
  id: 'head-drop',
  title: 'FIFO that drops at its head',
  source: 'tc-pfifo(8): pfifo_head_drop',
  params: object({}),
  tc: (_, { packets }) => ({ kind: 'pfifo_head_drop', words: `limit ${packets}` }),
  emulate: () => ({ kind: 'head-drop' }),
  refuse: ({ ecn }) => (ecn ? 'a FIFO has nothing to mark: choose an AQM, or leave link.queue.ecn out' : null),
};
