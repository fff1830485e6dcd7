/** The shortest study that shows all features: half a minute, two conditions. It is the first one to read. */
import { defineExperiment } from '../../../definition/define.ts';

export default defineExperiment({
  title: 'Hello: a stream alone, and beside a flood with random loss',
  question: 'What does a viewer see beside a BBRv1 flood on a link that loses 1 % of all packets?',
  source: 'own',

  link: { rate: '20mbit', queue: { limit: '250ms' } },
  service: { id: 'live-clip', maxBitrate: '4mbit' },
  flood: { id: 'iperf', congestionControl: 'bbr', flows: 1 },

  conditions: {
    baseline: { title: 'Alone', flood: { id: 'none' } },
    flood: { title: 'Beside a flood', link: { loss: '1%' } },
  },

  run: { window: '5s', repeats: 1 },
});
