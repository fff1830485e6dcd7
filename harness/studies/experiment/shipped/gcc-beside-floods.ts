/**
 * Study of GCC in this project's sender and in Chromium, each beside one TCP flow. Both have the same link, seeds and
 * clip.
 */
import { defineExperiment } from '../../../definition/define.ts';
import { small } from './gcc-and-chromium.ts';

const cubic = { id: 'iperf', congestionControl: 'cubic' };
const bbr3 = { id: 'iperf', congestionControl: 'bbr3' };

export default defineExperiment({
  title: 'GCC of the media server and of Chromium beside floods',
  question: "Does a flood leave to the media server's GCC what it leaves to Chromium's?",
  source: 'own; libwebrtc 2026-08 as Chromium has it is the reference',

  link: { rate: '5mbit', rtt: '50ms', queue: { limit: '300ms' } },
  service: small.live,
  flood: cubic,

  conditions: {
    'live-cubic': { title: 'Media server beside CUBIC' },
    'call-cubic': { title: 'Chromium beside CUBIC', service: small.call },
    'live-bbr3': { title: 'Media server beside BBRv3', flood: bbr3 },
    'call-bbr3': { title: 'Chromium beside BBRv3', service: small.call, flood: bbr3 },
  },
  baseline: 'call-cubic',

  /*
   * The window begins a minute after the stream. Beside CUBIC the estimate changes by only a few kbit/s per second, and
   * its initial value is random: a call between two browsers takes seconds longer to start, and its key frames differ
   * from ours. An earlier window would compare these initial values.
   */
  run: { window: '30s', startUp: '60s', floodLead: '8s', repeats: 6 },
});
