/** Study of WebRTC inside a QUIC tunnel on a link whose capacity changes. */
import type { ComparisonDefinition } from '../../../definition/claim.ts';
import { type ConditionDefinition, defineExperiment } from '../../../definition/define.ts';
import type { PaperClaim } from '../../../definition/paper-claim.ts';

/**
 * Carriers that the paper compares: plain UDP, and each QUIC stack in both modes with each of its congestion controls.
 */
export const carriers: Record<string, ConditionDefinition> = {
  udp: { title: 'UDP' },
  'datagram-newreno': {
    title: 'datagrams, NewReno',
    tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'newreno' },
  },
  'datagram-cubic': { title: 'datagrams, CUBIC', tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'cubic' } },
  'datagram-copa': { title: 'datagrams, Copa', tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'copa' } },
  'datagram-bbr3': { title: 'datagrams, BBRv3', tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'bbr3' } },
  'datagram-none': { title: 'datagrams, none', tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'none' } },
  'datagram-go': {
    title: 'datagrams, NewReno of quic-go',
    tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'newreno', stack: 'quic-go' },
  },
  'stream-newreno': {
    title: 'streams, NewReno',
    tunnel: { id: 'quic', mode: 'stream', congestionControl: 'newreno' },
  },
  'stream-cubic': { title: 'streams, CUBIC', tunnel: { id: 'quic', mode: 'stream', congestionControl: 'cubic' } },
  'stream-copa': { title: 'streams, Copa', tunnel: { id: 'quic', mode: 'stream', congestionControl: 'copa' } },
  'stream-bbr3': { title: 'streams, BBRv3', tunnel: { id: 'quic', mode: 'stream', congestionControl: 'bbr3' } },
  'stream-none': { title: 'streams, none', tunnel: { id: 'quic', mode: 'stream', congestionControl: 'none' } },
  'stream-go': {
    title: 'streams, NewReno of quic-go',
    tunnel: { id: 'quic', mode: 'stream', congestionControl: 'newreno', stack: 'quic-go' },
  },
};

/** Names of the carriers with a tunnel: in datagram mode, and in stream mode. */
export const datagrams = Object.keys(carriers).filter(name => name.startsWith('datagram-'));
export const streams = Object.keys(carriers).filter(name => name.startsWith('stream-'));

/** Sender like the paper's server, which has a congestion control based on Copa, and video of at most 2 Mbit/s. */
export const service = {
  id: 'live-clip',
  clip: 'bigbuckbunny',
  width: 640,
  height: 360,
  frameRate: 30,
  startBitrate: '1mbit',
  minBitrate: '150kbit',
  maxBitrate: '2mbit',
  controller: { id: 'copa' },
} as const;

/** Deviations from the paper that quic-capacity, quic-latency, quic-loss and quic-senders share. */
export const deviations =
  'The media server is ours with a Copa-like controller (service.controller.id=gcc or webrtc-bbr are others), ' +
  'not Medooze; the stack is noq, not mvfst, and quic-go is 0.59, not 0.29; BBRv3 stands in place of BBR, ' +
  "and Copa's delta is 0.5 as in its own paper. Packets that wait at a tunnel's end are limited to 64 kB.";

/**
 * Comparisons that define "no detrimental effect" and "does not impact the video flow": the viewer gets at least the
 * quality of plain UDP. RTP losses do not show this, since a stream can deliver every packet, but too late.
 */
export const asGood = (condition: string, than: string): ComparisonDefinition[] => [
  { metric: 'goodput', condition, than, expects: 'not-lower', within: '15%' },
  { metric: 'stall-time', condition, than, expects: 'not-higher', within: '1s' },
];

/** Comparison that defines "breaks the video flow": the video stalls for longer than over UDP. */
export const broken = (condition: string, than: string): ComparisonDefinition => ({
  metric: 'stall-time',
  condition,
  than,
  expects: 'higher',
  by: '1s',
});

/** Carriers that break the video flow in stream mode, according to the paper. */
export const breaking = ['stream-newreno', 'stream-cubic', 'stream-bbr3'];

export default defineExperiment({
  title: 'WebRTC inside QUIC on a link of 500 to 2500 kbit/s',
  question: 'Does the viewer get more or less where the packets travel inside QUIC while the capacity changes?',
  source:
    "Baldassin, Urvoy-Keller and Lopez Pacheco, Sur l'interaction entre les algorithmes de congestion de WebRTC et " +
    'QUIC, section 4.1, Figure 1',

  link: {
    rate: '2500kbit',
    rtt: '2ms',
    queue: { limit: '125kB' },
    schedule: [
      { at: '10s', rate: '1mbit' },
      { at: '20s', rate: '500kbit' },
      { at: '30s', rate: '1500kbit' },
      { at: '40s', rate: '2500kbit' },
    ],
  },
  service,
  conditions: carriers,
  baseline: 'udp',

  // The warm-up is part of the protocol: the results depend on congestion windows that earlier losses have changed.
  run: { window: '50s', startUp: '10s', repeats: 6 },

  claims: [
    {
      text: 'While the capacity changes there is no difference between UDP, datagrams and streams, whatever the congestion control.',
      source: 'section 4.1',
      holds: [...datagrams, ...streams].map(condition => ({
        metric: 'goodput',
        condition,
        than: 'udp',
        expects: 'alike',
        within: '15%',
      })),
    },
  ],

  reference: {
    title: 'Paper, Figure 1',
    note: 'One run of each, as a figure: the bitrate at the client follows the capacity alike in all of them.',
    deviations:
      "Periods are 10 s, not 30 (docs/tunnels.md has the command for the paper's); " +
      `the paper does not say in which order the capacities come, nor its queue. ${deviations}`,
    values: {},
  },
});

export const paperClaims: PaperClaim[] = [
  {
    paper: 'baldassin',
    place: 'Section 4.1, Figure 1',
    text: 'While the capacity changes there is no difference between UDP, datagrams and streams, whatever the congestion control.',
    verdict: 'in-part',
    measured: "1.12 to 1.16 Mbit/s in ten tunnels, UDP 1.17; noq's BBRv3 has 0.99 and 1.00, which is open.",
    pages: ['quic-capacity'],
    substitute: 'noq for mvfst, BBRv3 for BBR',
    differs: 'Periods of 10 s, not 30; the order of the capacities and the queue are ours.',
  },
  {
    paper: 'baldassin',
    place: 'Section 1, (i); section 4.1',
    text: "Where the path's capacity changes fast, WebRTC's congestion control bypasses that of QUIC.",
    verdict: 'undecided',
    measured: 'Bitrates under NewReno, CUBIC and Copa are alike: 1.15 to 1.16 Mbit/s.',
    pages: ['quic-capacity'],
    substitute: 'noq for mvfst',
    differs: "Equal means do not show which control acts; a comparison of QUIC's window with the rate is missing.",
  },
];
