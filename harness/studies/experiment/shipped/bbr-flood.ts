/**
 * The flagship study: a WebRTC stream like cloud gaming, beside a BBRv3 download behind a plain FIFO. The first three
 * conditions are those of the paper. The fourth separates the effects of loss and of flood in the third condition.
 */
import { defineExperiment } from '../../../definition/define.ts';
import { juntimaDeviations, juntimaNote } from '../../../definition/papers.ts';

export default defineExperiment({
  title: 'A WebRTC stream beside a BBR flood, behind a FIFO bottleneck',
  question: 'What does the viewer of a 720p60 WebRTC stream see while a BBRv3 download fills the same 40 Mbit/s link?',
  source: 'Juntima, Nguyen, Pop: "Insights into BBRv3\'s fairness over WebRTC": Table 1, Figures 4 to 9',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf', congestionControl: 'bbr3', flows: 1 },

  conditions: {
    baseline: { title: 'Baseline', flood: { id: 'none' } },
    wired: { title: 'Wired attack' },
    lossy: { title: 'Lossy attack', link: { loss: '2%' } },
    loss: { title: 'Loss alone', flood: { id: 'none' }, link: { loss: '2%' } },
  },
  baseline: 'baseline',

  run: { window: '40s', startUp: '3s', repeats: 1, seed: 1 },

  reference: {
    title: 'Paper, Table 1',
    note: juntimaNote,
    deviations: `${juntimaDeviations} The condition with loss alone is ours.`,
    values: {
      'media-goodput': { baseline: '1.04 Mbit/s', wired: '1.01 Mbit/s', lossy: '0.87 Mbit/s' },
      'flood-goodput': { wired: '37.27 Mbit/s', lossy: '36.78 Mbit/s' },
      'rtt-mean': { baseline: '0.16 ms', wired: 'about 78.4 ms', lossy: 'high variance' },
      'frame-rate': { baseline: '54.8 fps', wired: '53.2 fps', lossy: '52.4 fps' },
      'stall-time': { baseline: '2.59 s', wired: '3.10 s', lossy: '3.84 s' },
      'harm-factor': { wired: '1.2', lossy: '1.5' },
      'jain-index': { wired: '0.53', lossy: '0.52' },
    },
  },
});
