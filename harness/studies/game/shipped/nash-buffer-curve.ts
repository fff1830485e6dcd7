/**
 * Game of one BBR flow and one CUBIC flow, over the size of the buffer: the paper's figure 1. Every state is measured,
 * without a search.
 */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'One BBR flow beside one CUBIC flow, over the buffer',
  question: 'How much has BBR beside CUBIC, by the buffer and by whose round-trip time is the longer?',
  source: 'Mishra et al., APNet 2021, figure 1',

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
    { near: { cubic: 1 }, far: { bbr: 1 } },
    { near: { bbr: 1 }, far: { cubic: 1 } },
  ],
  vary: {
    'groups.far.link.rtt': ['80ms', '40ms'],
    'link.queue.limit': ['0.5bdp', '1bdp', '2bdp', '3bdp', '4bdp', '6bdp', '8bdp', '10bdp'],
  },
  // bytes that left the bottleneck in the window; data that a receiver holds back until a gap is filled blur goodput
  // at both ends of the window
  payoff: 'wire-rate',
  run: { window: '60s', leaveOut: '25s', most: 3 },

  reference: {
    title: 'Mishra et al., APNet 2021, section 2 and figure 1',
    says: [
      "BBR's goodput over CUBIC's is a smooth function of the buffer, from 0 to 10 BDP of the flow with the shorter " +
        'RTT, and falls with it.',
      'On each curve there is a buffer at which both have the same.',
      'The longer the RTT of the BBR flow, the deeper that buffer.',
    ],
    deviations: "the paper's are of two minutes; the values of its curves are not published.",
  },
});
