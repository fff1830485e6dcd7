/**
 * Tests if windows shorter than the paper's two minutes give the same payoffs. All four states of two flows are
 * measured, without a search.
 */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Two flows, windows of two minutes',
  question: 'Would a shorter window give the same payoffs as one of two minutes?',
  source: 'own; windows of Mishra et al., APNet 2021, section 2',

  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: {
    near: { players: 1, link: { rtt: '40ms' } },
    far: { players: 1, link: { rtt: '80ms' } },
  },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  states: [
    { near: { cubic: 1 }, far: { cubic: 1 } },
    { near: { cubic: 1 }, far: { bbr: 1 } },
    { near: { bbr: 1 }, far: { cubic: 1 } },
    { near: { bbr: 1 }, far: { bbr: 1 } },
  ],
  run: { window: '120s', leaveOut: '25s', most: 12 },
});
