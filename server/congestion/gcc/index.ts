/** The Google Congestion Control as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { Gcc } from './gcc.ts';
import { type GccParams, params } from './params.ts';

export const plugin: ControllerPlugin<GccParams> = {
  id: 'gcc',
  title: 'GCC (libwebrtc 2026-08)',
  source: 'libwebrtc 2026-08, modules/congestion_controller/goog_cc; draft-ietf-rmcat-gcc-02',
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps', 'paddingBps', 'ackedBps', 'windowBytes', 'lossRatio'),
    estimateBps: 'estimate of the path by delay and losses',
    delayBasedBps: 'rate that the delay alone allows',
    linkCapacityBps: 'capacity learnt from over-use; 0 for none',
    trendMs: 'trend of the delay, as it is compared with the threshold',
    thresholdMs: 'threshold of over-use',
    rttMs: 'newest round trip',
    modelLossRatio: 'loss of the loss model',
    inherentLossRatio: "loss that is the path's own, by the loss model",
    pushbackRatio: 'share of the rate that the congestion window leaves to the encoder',
    inAlr: '1 while the application sends less than it may',
    usage: 'normal, over-use or under-use of the path',
    rateState: 'state of the rate control by delay',
    lossState: 'state of the rate control by loss',
    probeState: 'state of the probing',
  },
  create: given => new Gcc(given),
};
