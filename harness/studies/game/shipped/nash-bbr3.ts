/** Game with three strategies: shows the shares of CUBIC and BBRv1 when players can also choose BBRv3. */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Six flows: CUBIC, BBRv1 or BBRv3',
  question: 'Which congestion controls remain where each flow takes what gives it most?',
  source: 'own; Mishra et al., APNet 2021, section 5 leaves newer versions of BBR open',

  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: { all: { players: 6, link: { rtt: '40ms' } } },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
    bbr3: { service: { id: 'iperf', congestionControl: 'bbr3' } },
  },
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
  run: { window: '60s', leaveOut: '25s' },
});
