/** Copa as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { Copa } from './copa.ts';
import { params } from './params.ts';
import type { CopaParams } from './params.ts';

export const plugin: ControllerPlugin = {
  id: 'copa',
  title: 'Copa (NSDI 2018), for media',
  source:
    'Arun and Balakrishnan, "Copa: Practical Delay-Based Congestion Control for the Internet", NSDI 2018, section 2; genericCC and mvfst for what it leaves open',
  ignores: ['loss'],
  params,
  create: (given: CopaParams) => new Copa(given),
};
