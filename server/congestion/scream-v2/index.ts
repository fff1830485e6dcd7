/** SCReAMv2 as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { params, type ScreamV2Params } from './params.ts';
import { ScreamV2 } from './scream-v2.ts';

export const plugin: ControllerPlugin<ScreamV2Params> = {
  id: 'scream-v2',
  title: 'SCReAMv2 (draft 2025)',
  source: "draft-johansson-ccwg-rfc8298bis-screamv2, authors' text of 2025",
  params,
  minWindowBytes: params.parse({}).minWindow,
  traceFields: {
    ...usual(
      'targetBps',
      'pacingBps',
      'windowBytes',
      'flightBytes',
      'queueDelayMs',
      'queueDelayTargetMs',
      'lossEventRatio',
      'reorderingMs',
    ),
    rttMs: 'smoothed round trip',
    averageQueueDelayMs: 'average of the queue delay',
    markedRatio: 'share of packets that were marked, as L4S smooths it',
  },
  ect: ({ ecn }) => (ecn === 'l4s' ? 'ect1' : 'ect0'),
  create: given => new ScreamV2(given),
};
