/**
 * Game of flows in three groups with different round-trip times, over the size of the buffer: the paper's figure 4. The
 * paper's variants with 9 and 12 flows, and with 50 and 100 Mbit/s, need options such as
 *
 *   --set groups.near.players=4, --set link.rate=50mbit
 */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Six flows in three groups, CUBIC or BBR, over the buffer',
  question: 'How many flows would play CUBIC, and which, as the buffer grows?',
  source: 'Mishra et al., APNet 2021, section 4.1 and figure 4',

  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: {
    near: { players: 2, link: { rtt: '20ms' } },
    middle: { players: 2, link: { rtt: '50ms' } },
    far: { players: 2, link: { rtt: '80ms' } },
  },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  vary: { 'link.queue.limit': ['2bdp', '5bdp', '10bdp', '20bdp'] },
  run: { window: '60s', leaveOut: '25s' },

  reference: {
    title: 'Mishra et al., APNet 2021, section 4',
    says: [
      'There was exactly one equilibrium in every setting, by three trials of each of 2^n combinations.',
      'It is always a cut in the order of RTTs: the flows with the shortest play CUBIC, the others BBR.',
      'The deeper the buffer, the more flows play CUBIC; at very large ones about half of them do.',
      'The rate of the link and the number of flows hardly matter.',
    ],
    deviations:
      "the paper's are of two minutes, and its buffers are not told; states by symmetry, a tolerance and intervals.",
  },
});
