/** The flagship study over the floods and losses that its paper leaves open. */
import { defineExperiment } from '../experiment/define.ts';

export default defineExperiment({
  title: 'A WebRTC stream beside floods of four kinds, with and without random loss',
  question: 'What does the viewer of a 720p60 WebRTC stream see beside one or five BBRv3 flows, BBRv1 and CUBIC, while the link loses 0, 1 or 2 % at random?',
  source: 'Juntima et al., Table 1; its lossy attack, 2 %; section 6, "Competition Scope"',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf3', congestionControl: 'bbr3', flows: 1 },

  conditions: {
    'baseline': { title: 'Alone', flood: { id: 'none' } },
    'bbr3': { title: 'BBRv3' },
    'bbr3-five': { title: 'BBRv3 x 5', flood: { flows: 5 } },
    'bbr': { title: 'BBRv1', flood: { congestionControl: 'bbr' } },
    'cubic': { title: 'CUBIC', flood: { congestionControl: 'cubic' } },
  },
  baseline: 'baseline',
  vary: { 'link.loss': ['0%', '1%', '2%'] },

  run: { window: '40s', startUp: '3s', repeats: 5, seed: 1 },
});
