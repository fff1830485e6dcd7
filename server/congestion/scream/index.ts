/** SCReAM as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { params, type ScreamParams } from './params.ts';
import { Scream } from './scream.ts';

export const plugin: ControllerPlugin<ScreamParams> = {
  id: 'scream',
  title: 'SCReAM (RFC 8298)',
  source: "RFC 8298; authors' code at github.com/EricssonResearch/scream, May 2018 and July 2026",
  params,
  traceFields: {
    ...usual(
      'targetBps',
      'pacingBps',
      'ackedBps',
      'windowBytes',
      'flightBytes',
      'queueDelayMs',
      'queueDelayTargetMs',
      'lossEventRatio',
      'reorderingMs',
    ),
    rttMs: 'smoothed round trip',
    queueTrendRatio: 'trend of the queue delay',
    queueTrendMemoryRatio: 'memory of that trend',
    transmitBps: 'rate at which packets left',
    mediaBps: 'rate of the media',
    inFastIncrease: '1 in fast increase',
  },
  ect: () => 'ect0',
  create: given => new Scream(given),
};
