/**
 * Game of flows in three groups with different round-trip times, over the size of the buffer: the paper's figure 4. The
 * paper's variants with 9 and 12 flows, and with 50 and 100 Mbit/s, need options such as
 *
 *   --set groups.near.players=4, --set link.rate=50mbit
 */

import type { PaperClaim } from '../../../definition/paper-claim.ts';
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
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
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

export const paperClaims: PaperClaim[] = [
  {
    paper: 'mishra',
    place: 'Section 5',
    isMain: true,
    text: 'In buffers of 1 BDP or more the equilibrium is a mix of CUBIC and BBR, not BBR alone.',
    verdict: 'not-found',
    measured: 'At 2 BDP all six flows, and all twelve, play BBRv1.',
    pages: ['nash-buffer', 'nash-buffer-12'],
    differs:
      'Windows of 30 s; 2 BDP of the shortest round trip; for two flows the paper itself has BBR alone below 2 BDP.',
  },
  {
    paper: 'mishra',
    place: 'Section 3.2, conjecture; section 4',
    text: 'At least one equilibrium exists; in every setting exactly one was found.',
    verdict: 'in-part',
    measured: 'One was found at 2 BDP, with six and with twelve flows.',
    pages: ['nash-buffer', 'nash-buffer-12'],
    differs: 'A search does not show that there is no other; an exhaustive run is missing.',
  },
  {
    paper: 'mishra',
    place: 'Section 4.1, order',
    text: 'The flows with the shortest round trips play CUBIC, the others BBR.',
    verdict: 'not-testable',
    measured: 'At 2 BDP no flow plays CUBIC.',
    pages: ['nash-buffer', 'nash-buffer-12'],
    differs: '5 and 10 BDP are missing.',
  },
  {
    paper: 'mishra',
    place: 'Figure 4, buffer',
    text: 'The deeper the buffer, the more flows play CUBIC; in very deep ones about half.',
    verdict: 'not-measured',
    differs: 'Only 2 BDP was measured; 5, 10 and 20 BDP are missing.',
  },
  {
    paper: 'mishra',
    place: 'Figure 4, rate and number',
    text: 'The rate of the link and the number of flows hardly matter.',
    verdict: 'in-part',
    measured: 'Six and twelve flows play alike at 2 BDP.',
    pages: ['nash-buffer', 'nash-buffer-12'],
    differs: 'One buffer, one rate; other rates are missing.',
  },
];
