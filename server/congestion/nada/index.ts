/** NADA as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { Nada } from './nada.ts';
import { params } from './params.ts';
import type { NadaParams } from './params.ts';

export const plugin: ControllerPlugin = {
  id: 'nada',
  title: 'NADA (RFC 8698)',
  source: 'RFC 8698; RFC 5348 section 5.4; ns3-rmcat for the bound of the signal',
  params,
  create: (given: NadaParams) => new Nada(given),
};
