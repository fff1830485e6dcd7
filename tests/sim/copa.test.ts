/**
 * Copa over simulated links: one bottleneck, 25 ms each way, 300 ms of queue, video of 30 frames a second.
 *
 * In steady state the paper's queue swings by 2.5 / delta packets over five round trips (NSDI 2018, section 3.1). Here
 * a change shows after a loop, which is longer than the round trip by up to a report interval, and each frame
 * waits for itself as well.
 */

import { reportIntervalMs } from '../../harness/virtual/receiver.ts';
import type { Recording } from '../../harness/virtual/recording.ts';
import { plugin } from '../../server/congestion/copa/index.ts';
import { scenarios } from './scenario.ts';

const s = 1000;
const frameMs = 1000 / 30;
const rttMs = 50;
const scenario = scenarios(plugin);

/** Longest queue of the swing, ms. */
const swingMs = (rateBps: number, delta: number) =>
  ((((2.5 / delta) * 1200 * 8000) / rateBps) * (rttMs + reportIntervalMs)) / rttMs + frameMs;
const competing = (r: Recording, fromMs: number, toMs: number) => {
  const modes = r.series('mode', fromMs, toMs);
  return modes.filter(mode => mode === 'competitive').length / modes.length;
};

for (const rateBps of [1e6, 2e6, 5e6]) {
  scenario(`copa: an idle link of ${rateBps / 1e6} Mbit/s`, { durationMs: 120 * s, link: rateBps }, [
    {
      what: 'time to 85 % of the link, ms: doubled once a loop and the first report',
      value: r => r.reached(0.85 * rateBps),
      atMost: (Math.ceil(Math.log2((0.85 * rateBps) / 300e3)) + 1) * (rttMs + 2 * reportIntervalMs),
    },
    { what: 'utilisation', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.85 },
    {
      what: 'utilisation in the worst 10 s',
      value: r =>
        Math.min(...Array.from({ length: 11 }, (_, i) => r.utilisation((10 + 10 * i) * s, (20 + 10 * i) * s))),
      atLeast: 0.8,
    },
    {
      what: '95th percentile of the queue, ms',
      value: r => r.queueMs(95, 10 * s, 120 * s),
      atMost: swingMs(rateBps, 0.5),
    },
    {
      what: 'share of the time in competition: there is nobody else',
      value: r => competing(r, 10 * s, 120 * s),
      atMost: 0.02,
    },
  ]);
}

scenario(
  'copa: with delta 0.1 five times as many packets stand in the queue',
  { durationMs: 120 * s, link: 2e6, params: { delta: 0.1 } },
  [
    { what: 'utilisation', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.95 },
    {
      what: 'median of the queue, ms: more than the longest of delta 0.5',
      value: r => r.queueMs(50, 10 * s, 120 * s),
      atLeast: ((2.5 / 0.5) * 1200 * 8000) / 2e6,
    },
    { what: '95th percentile, ms', value: r => r.queueMs(95, 10 * s, 120 * s), atMost: swingMs(2e6, 0.1) },
  ],
);

scenario('copa: a round trip of 150 ms', { durationMs: 120 * s, link: 3e6, oneWayMs: 75, returnMs: 75 }, [
  { what: 'utilisation', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.9 },
  {
    what: '95th percentile of the queue, ms',
    value: r => r.queueMs(95, 10 * s, 120 * s),
    atMost: 2 * swingMs(3e6, 0.5),
  },
]);

scenario(
  'copa: the rate steps from 3 to 1 Mbit/s and back',
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 40 * s, rateBps: 1e6 },
      { atMs: 80 * s, rateBps: 3e6 },
    ],
  },
  [
    { what: 'target 3 s after the step down, mean', value: r => r.meanTarget(43 * s, 80 * s), atMost: 1.05e6 },
    { what: 'utilisation of the slow link', value: r => r.utilisation(45 * s, 80 * s), atLeast: 0.85 },
    {
      what: '95th percentile of the queue on the slow link, ms',
      value: r => r.queueMs(95, 43 * s, 80 * s),
      atMost: swingMs(1e6, 0.5),
    },
    {
      what: 'time to 85 % of the fast link after the step up, s: the velocity doubles after three loops',
      value: r => (r.reached(0.85 * 3e6, 80 * s) - 80 * s) / s,
      atMost: (8 * (rttMs + 2 * reportIntervalMs)) / 1000,
    },
    { what: 'utilisation of the fast link again', value: r => r.utilisation(85 * s, 120 * s), atLeast: 0.85 },
  ],
);

for (const lossRatio of [0.02, 0.1]) {
  scenario(
    `copa: ${100 * lossRatio} % of random loss make no difference`,
    { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio }] },
    [
      { what: 'utilisation', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.85 },
      {
        what: '95th percentile of the queue, ms',
        value: r => r.queueMs(95, 10 * s, 120 * s),
        atMost: swingMs(3e6, 0.5),
      },
    ],
  );
}

const halfLost = {
  durationMs: 80 * s,
  link: [
    { atMs: 0, rateBps: 3e6 },
    { atMs: 40 * s, lossRatio: 0.5 },
  ],
};
scenario('copa: where half is lost the window shrinks by 30 % again and again, and grows between', halfLost, [
  { what: 'target', value: r => r.meanTarget(50 * s, 80 * s), atMost: 0.6 * 3e6 },
]);
scenario('copa: ... or only grows, as in the paper', { ...halfLost, params: { heavyLoss: 'ignore' } }, [
  {
    what: 'target: what fills the link is twice its rate',
    value: r => r.meanTarget(50 * s, 80 * s),
    atLeast: 0.8 * 2 * 3e6,
  },
]);

for (const queueMs of [100, 300]) {
  const beside = { durationMs: 180 * s, link: 4e6, queueMs, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] };
  scenario(`copa: beside a TCP flow in a queue of ${queueMs} ms`, beside, [
    { what: 'share of the time in competition', value: r => competing(r, 40 * s, 120 * s), atLeast: 0.7 },
    {
      what: 'rate beside the flow: a third of a fair share at least, a fair share at most',
      value: r => r.arrivedBps(60 * s, 120 * s),
      atLeast: 2e6 / 3,
      atMost: 2.2e6,
    },
    { what: 'rate of the flow', value: r => (r.tcpBytes[0]! * 8) / 90, atLeast: 1.8e6 },
    { what: 'competition afterwards', value: r => competing(r, 125 * s, 180 * s), atMost: 0.02 },
    { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.85 },
  ]);
  scenario(
    `copa: beside it in a queue of ${queueMs} ms without competition: the flow takes nearly all`,
    { ...beside, params: { competitive: 'off' } },
    [{ what: 'rate beside the flow', value: r => r.arrivedBps(60 * s, 120 * s), atMost: 2e6 / 3 }],
  );
}

scenario(
  'copa: constant cross traffic takes half of the link, on and off',
  {
    durationMs: 120 * s,
    link: 4e6,
    cross: [
      {
        rateBps: 2e6,
        on: [
          { fromMs: 30 * s, toMs: 60 * s },
          { fromMs: 90 * s, toMs: 120 * s },
        ],
      },
    ],
  },
  [
    {
      what: 'rate beside it: what it leaves',
      value: r => r.arrivedBps(40 * s, 60 * s),
      atLeast: 1.6e6,
      atMost: 2.05e6,
    },
    { what: 'rate without it', value: r => r.arrivedBps(65 * s, 90 * s), atLeast: 3.4e6 },
  ],
);

scenario(
  'copa: the link is dead for 30 s',
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 30 * s, rateBps: 0 },
      { atMs: 60 * s, rateBps: 3e6 },
    ],
  },
  [
    { what: 'target after 5 s: the minimum, after seven halvings', value: r => r.targetAt(35 * s), atMost: 30e3 },
    {
      what: 'what is sent in the silence: what may be in flight, and then a packet now and again',
      value: r => r.sentBps(31 * s, 60 * s),
      atMost: 30e3,
    },
    { what: 'time to 85 % after it, s', value: r => (r.reached(0.85 * 3e6, 60 * s) - 60 * s) / s, atMost: 3 },
    { what: 'utilisation from 5 s after', value: r => r.utilisation(65 * s, 120 * s), atLeast: 0.85 },
  ],
);

scenario(
  'copa: an encoder that makes 500 kbit/s on a link of 3 Mbit/s',
  { durationMs: 120 * s, link: 3e6, media: { maxBps: 500e3 } },
  [
    // growth stops where less than half of what may be in flight is: the loop without the frame's time, and frames by
    // 20 %
    { what: 'highest target', value: r => r.highestTarget(10 * s, 120 * s), atMost: 2 * 500e3 * 1.2 * 1.2 },
    { what: 'lowest target', value: r => r.lowestTarget(10 * s, 120 * s), atLeast: 500e3 },
  ],
);
