/**
 * Study of Chromium's congestion controls alone on links of libwebrtc's own tests of SCReAMv2 (ScreamTest), which the
 * tests run in a simulation. The claims are the ranges of their estimates.
 *
 * `scream-after-ce` is not among the controllers, since Chromium 156 does not have it. A later browser takes it by, for
 * example, --set 'conditions.600-100-l4s-scream.service.controller=scream-after-ce'.
 */
import { defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

type Rate = `${number}kbit`;

const dualpi2 = { limit: '1s', aqm: 'dualpi2', ecn: true } as const;
const fifo = { limit: '1s' } as const;

type Range = readonly [least: Rate, most: Rate];
type Case = { title: string; link: LinkDefinition; scream: Range; gcc?: Range };

/** Links, and the ranges of the estimates with SCReAMv2 and with GCC and feedback of RFC 8888. */
const cases: Record<string, Case> = {
  '600-100': {
    title: '600 kbit/s, 100 ms',
    link: { rate: '600kbit', rtt: '100ms', queue: fifo },
    scream: ['250kbit', '700kbit'],
    gcc: ['450kbit', '700kbit'],
  },
  '600-20': {
    title: '600 kbit/s, 20 ms',
    link: { rate: '600kbit', rtt: '20ms', queue: fifo },
    scream: ['300kbit', '700kbit'],
  },
  '600-100-l4s': {
    title: '600 kbit/s, 100 ms, DualPI2',
    link: { rate: '600kbit', rtt: '100ms', queue: dualpi2 },
    scream: ['350kbit', '660kbit'],
  },
  '1000-100-l4s': {
    title: '1 Mbit/s, 100 ms, DualPI2',
    link: { rate: '1mbit', rtt: '100ms', queue: dualpi2 },
    scream: ['600kbit', '1000kbit'],
  },
  '1500-30': {
    title: '1.5 Mbit/s, 30 ms',
    link: { rate: '1500kbit', rtt: '30ms', queue: fifo },
    scream: ['800kbit', '1900kbit'],
  },
  '2000-50': {
    title: '2 Mbit/s, 50 ms',
    link: { rate: '2mbit', rtt: '50ms', queue: fifo },
    scream: ['1500kbit', '2300kbit'],
    gcc: ['1000kbit', '2600kbit'],
  },
  '2000-50-l4s': {
    title: '2 Mbit/s, 50 ms, DualPI2',
    link: { rate: '2mbit', rtt: '50ms', queue: dualpi2 },
    scream: ['1300kbit', '2100kbit'],
  },
  short: {
    title: '1 Mbit/s, 50 ms, three packets of queue',
    link: { rate: '1mbit', rtt: '50ms', queue: { limit: '3packets' } },
    scream: ['200kbit', '1100kbit'],
  },
  lossy: {
    title: '1 Mbit/s, 50 ms, 10 % loss',
    link: { rate: '1mbit', rtt: '50ms', queue: fifo, loss: '10%' },
    scream: ['200kbit', '1100kbit'],
  },
};

const controllers = {
  gcc: { title: 'GCC', controller: 'gcc' },
  gcc8888: { title: 'GCC with RFC 8888', controller: 'gcc-rfc8888' },
  scream: { title: 'SCReAMv2', controller: 'scream-v2' },
} as const;

const within = (condition: string, [least, most]: Range) => [
  { metric: 'target-rate-mean', condition, above: least },
  { metric: 'target-rate-mean', condition, below: most },
];

export default defineExperiment({
  title: "Chromium's congestion controls on the links of libwebrtc's SCReAMv2 tests",
  question: 'Does Chromium do on a real link what its simulation promises?',
  source: 'libwebrtc 2026, test/peer_scenario/bwe_integration_tests/scream_test.cc',

  link: { rate: '600kbit', rtt: '100ms', queue: fifo },
  service: {
    id: 'chromium-call',
    clip: 'high-motion',
    clipLength: '15s',
    width: 640,
    height: 360,
    frameRate: 30,
    startBitrate: '300kbit',
    maxBitrate: '4mbit',
  },
  flood: { id: 'none' },

  conditions: Object.fromEntries(
    Object.entries(cases).flatMap(([name, { title, link }]) =>
      Object.entries(controllers).map(([short, { title: words, controller }]) => [
        `${name}-${short}`,
        { title: `${words}, ${title}`, link, service: { controller } },
      ]),
    ),
  ),
  baseline: '600-100-gcc',

  claims: Object.entries(cases).map(([name, { title, scream, gcc }]) => ({
    text: `On the link of ${title} the estimates lie where the simulation has them.`,
    holds: [...within(`${name}-scream`, scream), ...(gcc === undefined ? [] : within(`${name}-gcc8888`, gcc))],
  })),

  run: { window: '30s', startUp: '10s', repeats: 6 },
});
