/** Game of twenty flows, of which 0 to 20 use BBR: the paper's figures 2 and 3. Every state is measured. */

import type { PaperClaim } from '../../../definition/paper-claim.ts';
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Twenty flows, from all CUBIC to all BBR',
  question: 'What has a BBR flow, and what have all of them together, as more flows play BBR?',
  source: 'Mishra et al., APNet 2021, figures 2 and 3',

  link: { rate: '100mbit', queue: { limit: '2bdp' } },
  groups: { all: { players: 20, link: { rtt: '40ms' } } },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  exhaustive: true,
  vary: { 'link.queue.limit': ['2bdp', '10bdp'] },
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
  run: { window: '60s', leaveOut: '25s', most: 3 },

  reference: {
    title: 'Mishra et al., APNet 2021, section 2, figures 2 and 3',
    says: [
      'The goodput of a BBR flow falls as the share of BBR flows rises, at every buffer.',
      'With a large buffer and many BBR flows it falls below that of a CUBIC flow.',
      'The sum over all BBR flows rises with their number, less than in proportion.',
    ],
    deviations: "the paper's are of two minutes, and its buffers are not told.",
  },
});

export const paperClaims: PaperClaim[] = [
  {
    paper: 'mishra',
    place: 'Observation 3, Figure 2',
    text: 'As the share of BBR flows rises, the goodput of each BBR flow falls.',
    verdict: 'found',
    measured: 'By the curves it falls, at 2 and at 10 BDP.',
    pages: ['nash-share-curve'],
    differs: 'One trial of each state, read by eye; a queue of 0.4 s blurs shares in windows of 30 s.',
  },
  {
    paper: 'mishra',
    place: 'Figure 3',
    text: 'The sum over all BBR flows rises with their number, less than in proportion.',
    verdict: 'in-part',
    measured: 'By the curves it rises at 2 BDP; at 10 BDP 1 to 19 flows show no trend.',
    pages: ['nash-share-curve'],
    differs: 'One trial of each state.',
  },
];
