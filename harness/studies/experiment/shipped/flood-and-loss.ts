/** The flagship study with floods and random losses that the paper does not cover. */
import { defineExperiment } from '../../../definition/define.ts';
import { juntimaDeviations, juntimaNote } from '../../../definition/papers.ts';

export default defineExperiment({
  title: 'A WebRTC stream beside floods of four kinds, with and without random loss',
  question:
    'What does the viewer of a 720p60 WebRTC stream see beside one or five BBRv3 flows, BBRv1 and CUBIC, ' +
    'while the link loses 0, 1 or 2 % at random?',
  source: 'Juntima et al., Table 1; its lossy attack, 2 %; section 6, "Competition Scope"',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf', congestionControl: 'bbr3', flows: 1 },

  conditions: {
    baseline: { title: 'Alone', flood: { id: 'none' } },
    bbr3: { title: 'BBRv3' },
    'bbr3-five': { title: 'BBRv3 x 5', flood: { flows: 5 } },
    bbr: { title: 'BBRv1', flood: { congestionControl: 'bbr' } },
    cubic: { title: 'CUBIC', flood: { congestionControl: 'cubic' } },
  },
  baseline: 'baseline',
  vary: { 'link.loss': ['0%', '1%', '2%'] },

  // beside five flows, and beside BBRv3 with loss, the bitrate still fell during windows of 20 s after 3 s
  run: { window: '40s', startUp: '30s', repeats: 5, seed: 1 },

  reference: {
    title: 'Paper, Table 1',
    note: juntimaNote,
    deviations: `${juntimaDeviations} Five flows, BBRv1 and CUBIC, and any loss but that of the lossy attack, are ours.`,
    values: {
      goodput: {
        'baseline-loss-0percent': '1.04 Mbit/s',
        'bbr3-loss-0percent': '1.01 Mbit/s',
        'bbr3-loss-2percent': '0.87 Mbit/s',
      },
      'rtt-mean': {
        'baseline-loss-0percent': '0.16 ms',
        'bbr3-loss-0percent': 'about 78.4 ms',
        'bbr3-loss-2percent': 'high variance',
      },
      'frame-rate': {
        'baseline-loss-0percent': '54.8 fps',
        'bbr3-loss-0percent': '53.2 fps',
        'bbr3-loss-2percent': '52.4 fps',
      },
      'stall-time': {
        'baseline-loss-0percent': '2.59 s',
        'bbr3-loss-0percent': '3.10 s',
        'bbr3-loss-2percent': '3.84 s',
      },
      'harm-factor': { 'bbr3-loss-0percent': '1.2', 'bbr3-loss-2percent': '1.5' },
      'jain-index': { 'bbr3-loss-0percent': '0.53', 'bbr3-loss-2percent': '0.52' },
    },
    others: { goodput: { 'bbr3-loss-0percent': '37.27 Mbit/s', 'bbr3-loss-2percent': '36.78 Mbit/s' } },
  },
});
