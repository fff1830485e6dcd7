/** BBR as WebRTC had it in 2018, as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { params } from './params.ts';
import type { WebrtcBbrParams } from './params.ts';
import { WebrtcBbr } from './webrtc-bbr.ts';

export const plugin: ControllerPlugin = {
  id: 'webrtc-bbr',
  title: 'WebRTC-BBR (libwebrtc 2018-06)',
  source: 'libwebrtc 2018-06 (968b1dd0d7), modules/congestion_controller/bbr; changes of Drucker et al., section VII',
  params,
  create: (given: WebrtcBbrParams) => new WebrtcBbr(given),
};
