/** Study of WebRTC-BBR and GCC, each alone on slow and fast, short and long, shallow and deep links. */
import { defineExperiment } from '../../../definition/define.ts';
import type { PaperClaim } from '../../../definition/paper-claim.ts';

export default defineExperiment({
  title: 'WebRTC-BBR and GCC, each alone on 24 links',
  question:
    'On which links does WebRTC-BBR carry less video than GCC, and how far are their estimates from what they carry?',
  source:
    'Drucker et al., "Investigating WebRTC BBR as an alternative to GCC for live video streaming": Table I, Figures 3 and 4, Table II',

  link: { rate: '500kbit', rtt: '50ms', queue: { limit: '16bdp' } },
  service: {
    id: 'live-clip',
    clip: 'bigbuckbunny',
    frameRate: 30,
    maxBitrate: '1300kbit',
    startBitrate: '300kbit',
    minBitrate: '50kbit',
    controller: { id: 'gcc' },
  },
  flood: { id: 'none' },

  // The paper does not state the queue sizes. A deep queue has 16 BDP, like the link of its figure 2. A shallow queue
  // has half a BDP, but at least two full packets.
  conditions: {
    '20-500kbit-shallow': {
      title: '20 ms, 500 kbit/s, shallow',
      link: { rtt: '20ms', rate: '500kbit', queue: { limit: '3028bytes' } },
    },
    '20-500kbit-deep': { title: '20 ms, 500 kbit/s, deep', link: { rtt: '20ms', rate: '500kbit' } },
    '20-1mbit-shallow': {
      title: '20 ms, 1 Mbit/s, shallow',
      link: { rtt: '20ms', rate: '1mbit', queue: { limit: '3028bytes' } },
    },
    '20-1mbit-deep': { title: '20 ms, 1 Mbit/s, deep', link: { rtt: '20ms', rate: '1mbit' } },
    '20-2mbit-shallow': {
      title: '20 ms, 2 Mbit/s, shallow',
      link: { rtt: '20ms', rate: '2mbit', queue: { limit: '3028bytes' } },
    },
    '20-2mbit-deep': { title: '20 ms, 2 Mbit/s, deep', link: { rtt: '20ms', rate: '2mbit' } },
    '20-5mbit-shallow': {
      title: '20 ms, 5 Mbit/s, shallow',
      link: { rtt: '20ms', rate: '5mbit', queue: { limit: '6250bytes' } },
    },
    '20-5mbit-deep': { title: '20 ms, 5 Mbit/s, deep', link: { rtt: '20ms', rate: '5mbit' } },
    '50-500kbit-shallow': {
      title: '50 ms, 500 kbit/s, shallow',
      link: { rtt: '50ms', rate: '500kbit', queue: { limit: '3028bytes' } },
    },
    '50-500kbit-deep': { title: '50 ms, 500 kbit/s, deep', link: { rtt: '50ms', rate: '500kbit' } },
    '50-1mbit-shallow': {
      title: '50 ms, 1 Mbit/s, shallow',
      link: { rtt: '50ms', rate: '1mbit', queue: { limit: '3125bytes' } },
    },
    '50-1mbit-deep': { title: '50 ms, 1 Mbit/s, deep', link: { rtt: '50ms', rate: '1mbit' } },
    '50-2mbit-shallow': {
      title: '50 ms, 2 Mbit/s, shallow',
      link: { rtt: '50ms', rate: '2mbit', queue: { limit: '6250bytes' } },
    },
    '50-2mbit-deep': { title: '50 ms, 2 Mbit/s, deep', link: { rtt: '50ms', rate: '2mbit' } },
    '50-5mbit-shallow': {
      title: '50 ms, 5 Mbit/s, shallow',
      link: { rtt: '50ms', rate: '5mbit', queue: { limit: '15625bytes' } },
    },
    '50-5mbit-deep': { title: '50 ms, 5 Mbit/s, deep', link: { rtt: '50ms', rate: '5mbit' } },
    '100-500kbit-shallow': {
      title: '100 ms, 500 kbit/s, shallow',
      link: { rtt: '100ms', rate: '500kbit', queue: { limit: '3125bytes' } },
    },
    '100-500kbit-deep': { title: '100 ms, 500 kbit/s, deep', link: { rtt: '100ms', rate: '500kbit' } },
    '100-1mbit-shallow': {
      title: '100 ms, 1 Mbit/s, shallow',
      link: { rtt: '100ms', rate: '1mbit', queue: { limit: '6250bytes' } },
    },
    '100-1mbit-deep': { title: '100 ms, 1 Mbit/s, deep', link: { rtt: '100ms', rate: '1mbit' } },
    '100-2mbit-shallow': {
      title: '100 ms, 2 Mbit/s, shallow',
      link: { rtt: '100ms', rate: '2mbit', queue: { limit: '12500bytes' } },
    },
    '100-2mbit-deep': { title: '100 ms, 2 Mbit/s, deep', link: { rtt: '100ms', rate: '2mbit' } },
    '100-5mbit-shallow': {
      title: '100 ms, 5 Mbit/s, shallow',
      link: { rtt: '100ms', rate: '5mbit', queue: { limit: '31250bytes' } },
    },
    '100-5mbit-deep': { title: '100 ms, 5 Mbit/s, deep', link: { rtt: '100ms', rate: '5mbit' } },
  },
  vary: { 'service.controller.id': ['gcc', 'webrtc-bbr'] },

  run: { window: '60s', startUp: '10s', repeats: 1 },

  reference: {
    title: 'Paper, Table II',
    note:
      'Beside it the paper says of Figure 3: much the same bitrate but for low bandwidths, ' +
      "where GCC's is up to 84 % higher with deep buffers; and of Figure 4: WebRTC-BBR estimates far more bandwidth " +
      'and a far longer round trip.',
    deviations:
      'One flow of video without audio; the clip is the shipped one, 1.3 Mbit/s at most; ' +
      'windows are shorter than the five minutes of the paper; buffer sizes are ours, since the paper gives none. ' +
      'WebRTC-BBR is as its code of June 2018 ran: the rule of the text that a round trip within 12.5 % of the ' +
      'lowest spares the probe was never reached there and is off; no sample is marked as limited by the application ' +
      'but in PROBE_RTT; the recovery state is on.',
    values: {},
    correlations: { gcc: '0.87, 0.94, -0.18', 'webrtc-bbr': '-0.24, 0.59, -0.59' },
  },
});

export const paperClaims: PaperClaim[] = [
  {
    paper: 'drucker',
    place: 'Figure 3, deep buffers',
    text: 'Alone both have the same bitrate but on slow links, where deep buffers give GCC up to 84 % more.',
    verdict: 'not-found',
    measured: 'At 500 kbit/s GCC has 0.35 to 0.37 Mbit/s, WebRTC-BBR 0.43 to 0.44; from 2 Mbit/s on both have 1.20.',
    pages: ['drucker-isolation'],
    substitute: 'GCC of 2026 for 2018',
    differs: 'One trial of each; buffer sizes are ours.',
  },
  {
    paper: 'drucker',
    place: 'Figure 3, shallow buffers',
    text: 'With shallow buffers, low rates and long paths GCC has more than WebRTC-BBR.',
    verdict: 'not-found',
    measured: 'At 100 ms: 0.40 and 0.39 Mbit/s on 500 kbit/s, 0.85 and 0.86 on 1 Mbit/s.',
    pages: ['drucker-isolation'],
    substitute: 'GCC of 2026 for 2018',
    differs: 'One trial of each; buffer sizes are ours.',
  },
  {
    paper: 'drucker',
    place: 'Figure 4, bandwidth',
    text: 'On slow links WebRTC-BBR overestimates the bandwidth.',
    verdict: 'not-found',
    measured: 'It estimates 0.50 to 0.52 Mbit/s on 500 kbit/s.',
    pages: ['drucker-isolation'],
    differs: 'One trial of each; no sample is marked as limited by the application.',
  },
  {
    paper: 'drucker',
    place: 'Figure 4, round trip',
    text: 'On slow links WebRTC-BBR overestimates the minimum round trip.',
    verdict: 'found',
    measured: '61, 215 and 183 ms on paths of 20, 50 and 100 ms.',
    pages: ['drucker-isolation'],
    differs: 'One trial of each.',
  },
  {
    paper: 'drucker',
    place: 'Table II',
    text: 'Estimate and bitrate correlate by 0.87, 0.94 and −0.18 with GCC, by −0.24, 0.59 and −0.59 with WebRTC-BBR.',
    verdict: 'in-part',
    measured: 'GCC 0.91, 0.86 and 0.99; WebRTC-BBR 0.94, 0.87 and 0.95 (all links, from 700 kbit/s, below).',
    pages: ['drucker-isolation'],
    substitute: 'GCC of 2026 for 2018',
    differs: '24 links with one trial each; the encoder caps the bitrate on ten of them.',
  },
];
