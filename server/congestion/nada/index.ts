/** NADA as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { Nada } from './nada.ts';
import { type NadaParams, params } from './params.ts';

export const plugin: ControllerPlugin<NadaParams> = {
  id: 'nada',
  title: 'NADA (RFC 8698)',
  source: 'RFC 8698; RFC 5348 section 5.4; ns3-rmcat for the bound of the signal',
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps', 'ackedBps', 'queueDelayMs', 'lossRatio'),
    referenceBps: 'reference rate',
    warpedDelayMs: 'queue delay after warping',
    signalMs: 'aggregate congestion signal',
    markRatio: 'share of packets that were marked',
    lossIntervalPackets: 'average of the loss intervals; 0 for none',
    rttMs: 'newest round trip',
    mode: 'ramp-up or gradual',
  },
  ect: () => 'ect0',
  create: given => new Nada(given),
};
