/** WebRTC's BBR of 2018 as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { params, type WebrtcBbrParams } from './params.ts';
import { WebrtcBbr } from './webrtc-bbr.ts';

export const plugin: ControllerPlugin<WebrtcBbrParams> = {
  id: 'webrtc-bbr',
  title: 'WebRTC-BBR (libwebrtc 2018-06)',
  source: 'libwebrtc 2018-06 (968b1dd0d7), modules/congestion_controller/bbr; changes of Drucker et al., section VII',
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps', 'paddingBps', 'windowBytes'),
    estimateBps: 'estimate of the bottleneck bandwidth',
    minRttMs: 'shortest round trip of packet and feedback; 0 for none yet',
    pacingGain: 'gain on the bandwidth for pacing',
    roundCount: 'round trips since the start',
    probeRttCount: 'probes of the round trip so far',
    skippedProbeRttCount: 'such probes that were not needed',
    isFullBandwidth: '1 once the start-up has filled the pipe',
    isAppLimited: '1 while the application sends too little to measure',
    state: 'state of the algorithm',
    recoveryState: 'state of the recovery',
    variant: 'variant of the algorithm',
  },
  create: given => new WebrtcBbr(given),
};
