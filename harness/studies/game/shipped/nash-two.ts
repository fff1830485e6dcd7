/**
 * Game of two flows with different round-trip times on one link: the three regimes of the paper's table 2. This option
 * replaces BBRv1 by BBRv3, here and in the other games of this folder:
 *   --set strategies.bbr.service.congestionControl=bbr3
 */

import type { PaperClaim } from '../../../definition/paper-claim.ts';
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
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
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

export const paperClaims: PaperClaim[] = [
  {
    paper: 'mishra',
    place: 'Observation 1',
    text: 'In a deep buffer CUBIC gets more than BBR, in a shallow one BBR more than CUBIC.',
    verdict: 'found',
    measured: "With near BBRv1 and far CUBIC Jain's index is 0.535 at 1 BDP, 0.992 at 2 and 0.886 at 10 BDP.",
    pages: ['nash-two'],
    differs: 'Windows of 60 s, not two minutes; the page draws who has more, without its numbers.',
  },
  {
    paper: 'mishra',
    place: 'Observation 2, Figure 1',
    text: "There is a buffer at which both have the same; the longer BBR's round trip, the deeper it is.",
    verdict: 'found',
    measured: "Jain's index is 0.992 at 2 BDP where BBRv1 is near, 1.000 at 5 BDP where it is far.",
    pages: ['nash-two'],
    differs: 'Four buffers; the study of the whole curve (nash-buffer-curve) has no page.',
  },
  {
    paper: 'mishra',
    place: 'Observation 4',
    text: 'Of two BBR flows the one with the longer round trip gets more, of two CUBIC flows the other.',
    verdict: 'undecided',
    measured: "Jain's index of two BBRv1 flows is 0.978, 0.803, 0.766 and 0.762 at 1, 2, 5 and 10 BDP.",
    pages: ['nash-two'],
    differs: 'The index does not say which flow has more; payoffs of each player are missing on the page.',
  },
  {
    paper: 'mishra',
    place: 'Section 3.1, Table 2',
    text: 'Below 2 BDP both play BBR; from there on the near flow plays CUBIC, the far one BBR.',
    verdict: 'in-part',
    measured: '1 BDP and 5 BDP: as the paper. 2 BDP: both play BBRv1. 10 BDP: undecided after 32 trials.',
    pages: ['nash-two'],
    differs: "2 BDP is the paper's threshold itself: 3 and 4 BDP are missing.",
  },
];
