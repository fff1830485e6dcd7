/** Study of this machine's own effect on a stream, without load on the network. No other study can measure less. */
import { defineExperiment } from '../../../definition/define.ts';

export default defineExperiment({
  title: 'Noise floor: the stream alone on an idle link',
  question: 'How many stalls and freezes come from the host and not from the network?',
  source: 'own; the check that Juntima et al., section 4 ("Stall Events") could not make',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'none' },

  run: { window: '60s', repeats: 10 },
});
