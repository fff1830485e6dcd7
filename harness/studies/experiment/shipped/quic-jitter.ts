/** Study of a media stream of constant bitrate in QUIC streams, on a link with jitter beside a CUBIC download. */
import { defineExperiment } from '../../../definition/define.ts';
import { bothBbr3, controls, titleOf } from './quic-overload.ts';

const source = 'n0-computer/noq#819, comment of 2026-09-21';

export default defineExperiment({
  title: 'A stream of 2 Mbit/s in QUIC with 5 ms of jitter beside a CUBIC download',
  question:
    'Does BBRv3 serve a stream inside QUIC better than CUBIC where the path has jitter and a download fills it?',
  source,

  link: { rate: '5mbit', delay: { down: '10ms', up: '10ms' }, jitter: '5ms', queue: { limit: '100ms' } },
  service: {
    id: 'live-clip',
    clip: 'bigbuckbunny',
    width: 640,
    height: 360,
    frameRate: 30,
    startBitrate: '2mbit',
    maxBitrate: '2mbit',
    controller: { id: 'fixed' },
  },
  tunnel: { id: 'quic', mode: 'stream' },
  flood: { id: 'iperf', congestionControl: 'cubic', flows: 1 },
  conditions: controls,
  baseline: 'cubic',

  run: { window: '25s', startUp: '5s', floodLead: '5s', repeats: 6 },

  claims: [
    ...bothBbr3.flatMap(condition => [
      {
        text: `On a path with jitter ${titleOf(condition)} carries less than CUBIC.`,
        source,
        holds: [{ metric: 'goodput', condition, than: 'cubic', expects: 'lower' as const, by: '15%' as const }],
      },
      {
        text: `The viewer gets no less under ${titleOf(condition)} than under CUBIC, and sees frames no later.`,
        source: 'n0-computer/noq#819, description of 2026-09-20: better than CUBIC in theory',
        holds: [
          { metric: 'goodput', condition, than: 'cubic', expects: 'not-lower' as const, within: '15%' as const },
          { metric: 'stall-time', condition, than: 'cubic', expects: 'not-higher' as const, within: '1s' as const },
          {
            metric: 'frame-latency-p95',
            condition,
            than: 'cubic',
            expects: 'not-higher' as const,
            within: '15%' as const,
          },
        ],
      },
    ]),
    {
      text: 'C4 keeps the rate of a media stream beside CUBIC on a path with jitter, without stalls of a second or more.',
      source: 'draft-huitema-ccwg-c4-design-03: media, jitter and competition',
      holds: [
        { metric: 'goodput', condition: 'c4', than: 'udp', expects: 'not-lower', within: '15%' },
        { metric: 'stall-time', condition: 'c4', below: '1s' },
      ],
    },
  ],

  reference: {
    title: 'n0-computer/noq#819',
    note: 'What its authors saw in simulations of a transfer of 100 MB; no numbers were published with it.',
    deviations:
      'A stream beside a download, not a transfer alone; rate and queue are ours. The jitter comes before the queue and ' +
      'keeps the order of packets.',
    values: {},
  },
});
