/**
 * The flagship study's wired condition with other floods: BBRv3, BBRv1, CUBIC and Reno, each with one flow and with
 * five.
 */
import { defineExperiment } from '../../../definition/define.ts';

export default defineExperiment({
  title: 'A WebRTC stream beside floods of different kinds',
  question: 'Which flood harms the viewer, and how does it matter whether it is one flow or five?',
  source: 'Juntima et al., section 6 ("Competition Scope"); the paper\'s code used five flows',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf', congestionControl: 'bbr3', flows: 1 },

  vary: {
    'flood.congestionControl': ['bbr3', 'bbr', 'cubic', 'reno'],
    'flood.flows': [1, 5],
  },

  // beside CUBIC the bitrate still rose during windows of 40 s after 5 s: shares are measured once they have settled
  run: { window: '40s', startUp: '30s', repeats: 1 },
});
