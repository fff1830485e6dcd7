/** WebRTC inside a QUIC tunnel on a link that loses packets at random. */
import { defineExperiment } from '../experiment/define.ts';
import { carriers, datagrams, deviations, service, streams } from './quic-capacity.ts';

const losses = ['0.5', '1', '2', '3'];
const at = (carrier: string, percent: string) => `${carrier}-loss-${percent}percent`;

export default defineExperiment({
  title: 'WebRTC inside QUIC with random loss',
  question:
    'What of random loss reaches the viewer through datagrams and through streams, and what does QUIC send for it?',
  source:
    "Baldassin, Urvoy-Keller and Lopez Pacheco, Sur l'interaction entre les algorithmes de congestion de WebRTC et QUIC, section 4.2, Figures 2a to 2c",

  link: { rate: '2500kbit', rtt: '2ms', queue: { limit: '125kB' } },
  service,
  conditions: carriers,
  baseline: 'udp',
  vary: { 'link.loss': ['0%', '0.5%', '1%', '2%', '3%'] },

  run: { window: '10s', startUp: '10s', repeats: 6 },

  claims: [
    {
      text: 'In datagram mode any congestion control will do: the viewer gets what it gets over UDP.',
      source: 'section 1, (ii); Figure 2a',
      holds: datagrams.flatMap(carrier =>
        ['1', '3'].map(percent => ({
          metric: 'media-goodput',
          condition: at(carrier, percent),
          than: at('udp', percent),
          expects: 'alike' as const,
          within: '15%' as const,
        })),
      ),
    },
    {
      text: 'At a round-trip time of 1 to 2 ms stream mode hides every loss from WebRTC, whatever the congestion control.',
      source: 'section 4.2; Figure 2b',
      holds: streams.flatMap(carrier =>
        losses.map(percent => ({ metric: 'rtp-loss', condition: at(carrier, percent), below: '0.1%' as const })),
      ),
    },
    {
      text: 'In datagram mode WebRTC sees the losses, as over UDP.',
      source: 'section 4.2; Figure 2b',
      holds: datagrams.map(carrier => ({
        metric: 'rtp-loss',
        condition: at(carrier, '2'),
        than: at('stream-copa', '2'),
        expects: 'higher' as const,
      })),
    },
    {
      text: 'The bitrate of QUIC grows with the loss.',
      source: 'section 4.2; Figure 2c',
      holds: [...datagrams, ...streams].map(carrier => ({
        metric: 'tunnel-rate',
        condition: at(carrier, '3'),
        than: at(carrier, '0'),
        expects: 'higher' as const,
      })),
    },
  ],

  reference: {
    title: 'Paper, Figures 2a to 2c',
    note: 'One run of each, with the losses one after the other. The figures give no numbers but these.',
    deviations: `Each loss has trials of its own, of 10 s, where the paper has 30 s of one run (run.window=30s); the queue is ours. ${deviations}`,
    values: { 'rtp-losses': Object.fromEntries(streams.map(carrier => [carrier, '0'])) },
  },
});
