/**
 * Game of two flows with different round-trip times on one link: the three regimes of the paper's table 2. This option
 * replaces BBRv1 by BBRv3, here and in the other games of this folder:
 *   --set strategies.bbr.service.congestionControl=bbr3
 */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Two flows, CUBIC or BBR',
  question:
    'Of two flows with different round-trip times, which congestion control would each choose, and how does the buffer decide it?',
  source: 'Mishra et al., APNet 2021, section 3.1 and table 2',

  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: {
    near: { players: 1, link: { rtt: '40ms' } },
    far: { players: 1, link: { rtt: '80ms' } },
  },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  exhaustive: true,
  vary: { 'link.queue.limit': ['1bdp', '2bdp', '5bdp', '10bdp'] },
  run: { window: '60s', leaveOut: '25s', most: 12 },

  reference: {
    title: 'Mishra et al., APNet 2021, section 3.1',
    says: [
      'At 20 Mbit/s with RTTs of 80 and 40 ms the equilibrium was (BBR, BBR) for buffers below 2 BDP of the flow ' +
        'with the shorter RTT, and at all other buffers up to 10 BDP the flow with 80 ms played BBR and the flow ' +
        'with 40 ms CUBIC.',
      'Table 2: for the flow with the longer RTT BBR is dominant below T3; above it CUBIC is dominant for the flow with the shorter RTT.',
    ],
    games: {
      'limit-1bdp': 'both play BBR',
      'limit-2bdp': 'the far one plays BBR, the near one CUBIC',
      'limit-5bdp': 'the far one plays BBR, the near one CUBIC',
      'limit-10bdp': 'the far one plays BBR, the near one CUBIC',
    },
    deviations:
      "the paper's are of two minutes from the start; starts within 1 s of each other instead of at once; Linux of " +
      'today; a tolerance and intervals.',
  },
});
