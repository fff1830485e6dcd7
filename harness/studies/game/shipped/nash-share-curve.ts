/** Game of twenty flows, of which 0 to 20 use BBR: the paper's figures 2 and 3. Every state is measured. */
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
