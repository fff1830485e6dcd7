/**
 * The game nash-buffer at longer round-trip times too: the paper's figure 5. The paper does not state its round-trip
 * times.
 */

import type { PaperClaim } from '../../../definition/paper-claim.ts';
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Six flows in three groups, by how long the longest RTT is',
  question: 'Do longer round-trip times move the equilibrium?',
  source: 'Mishra et al., APNet 2021, section 4.2 and figure 5',

  link: { rate: '20mbit', queue: { limit: '5bdp' } },
  groups: {
    near: { players: 2, link: { rtt: '20ms' } },
    middle: { players: 2, link: { rtt: '50ms' } },
    far: { players: 2, link: { rtt: '80ms' } },
  },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  vary: { 'groups.far.link.rtt': ['80ms', '160ms'] },
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
  run: { window: '60s', leaveOut: '25s' },

  reference: {
    title: 'Mishra et al., APNet 2021, section 4.2',
    says: ['With larger RTTs a marginally lower share of the flows plays CUBIC at the equilibrium.'],
    deviations:
      "the paper's are of two minutes; the RTTs of its second set are not told: here those of the last group are 80 or 160 ms.",
  },
});

export const paperClaims: PaperClaim[] = [
  {
    paper: 'mishra',
    place: 'Section 4.2, Figure 5',
    text: 'With longer round trips a slightly smaller share of the flows plays CUBIC.',
    verdict: 'not-measured',
    differs: 'The study (nash-rtt) has no page.',
  },
];
