/** Study of a source that does not adapt, with twice the rate of the link, by congestion control of its QUIC tunnel. */
import { defineExperiment } from '../../../definition/define.ts';
import { bothBbr3, controls, titleOf } from './quic-overload.ts';

const source = 'moq-dev/moq#2432, comment of 2026-07-24';

export default defineExperiment({
  title: 'A source of 10 Mbit/s in QUIC datagrams on 5 Mbit/s with a queue of 500 ms',
  question: 'Which congestion control fills a slow link, and which of them leaves its deep queue empty?',
  source,

  link: { rate: '5mbit', rtt: '100ms', queue: { limit: '500ms' } },
  service: { id: 'udp-flow', rate: '10mbit' },
  tunnel: { id: 'quic', mode: 'datagram' },
  conditions: controls,
  baseline: 'cubic',

  run: { window: '25s', startUp: '10s', repeats: 6 },

  claims: [
    {
      text: 'Under CUBIC the round trip is closer to the 500 ms of the queue than to the 100 ms of the path.',
      source,
      holds: [{ metric: 'tunnel-rtt', condition: 'cubic', above: '300ms' }],
    },
    ...bothBbr3.map(condition => ({
      text: `Under ${titleOf(condition)} nearly all of the 5 Mbit/s arrive at a round trip near 100 ms.`,
      source,
      holds: [
        { metric: 'goodput', condition, above: '4mbit' as const },
        { metric: 'tunnel-rtt', condition, below: '150ms' as const },
      ],
    })),
    ...['copa', 'c4'].map(condition => ({
      text: `${controls[condition]!.title} delivers as much as CUBIC at less than half of its round trip.`,
      source: `own; what ${source} expects of a good congestion control`,
      holds: [
        { metric: 'goodput', condition, than: 'cubic', expects: 'not-lower' as const, within: '15%' as const },
        { metric: 'tunnel-rtt', condition, than: 'cubic', expects: 'lower' as const, by: '50%' as const },
      ],
    })),
  ],

  reference: {
    title: 'moq-dev/moq#2432',
    note: 'What its author expects; no numbers were published with it.',
    deviations:
      'UDP packets in DATAGRAM frames, not MoQ: what the congestion control does not let go is dropped at the end of ' +
      'the tunnel, where MoQ drops by priority.',
    values: {},
  },
});
