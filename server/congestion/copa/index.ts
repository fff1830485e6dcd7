/** Copa as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { Copa } from './copa.ts';
import { type CopaParams, params } from './params.ts';

export const plugin: ControllerPlugin<CopaParams> = {
  id: 'copa',
  title: 'Copa (NSDI 2018), for media',
  source:
    'Arun and Balakrishnan, "Copa: Practical Delay-Based Congestion Control for the Internet", NSDI 2018, section 2; ' +
    'genericCC and mvfst for what it leaves open',
  ignores: ['loss'],
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps'),
    queueTargetBps: 'rate that the queueing delay allows',
    windowPackets: 'congestion window',
    minRttMs: 'shortest round trip of packet and feedback; 0 for none yet',
    standingRttMs: 'shortest round trip of the last half one',
    loopMs: 'round trip of packet and feedback',
    inverseDeltaPackets: 'queue that it aims to keep (1 / delta)',
    velocityGain: 'velocity by which the window moves',
    mode: 'slow-start, default or competitive',
  },
  create: given => new Copa(given),
};
