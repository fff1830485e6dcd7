/**
 * A sender that goes by the receiver's estimate alone, over simulated links. The estimator at the other end is
 * `gcc`'s delay-based part (receiver-estimator.ts): what is tested is the loop of the two. Bounds of the rate
 * are aiortc's, 500 kbit/s to 3 Mbit/s; the estimate grows by 8 % a second and is followed in steps of more than 10 %.
 */
import { plugin } from '../../server/congestion/remb/index.ts';
import { scenarios } from './scenario.ts';

const s = 1000;
const scenario = scenarios(plugin);

/**
 * How long the estimate grows by a packet per response time only, after a rate at which the link was full, s: until
 * what arrives is three deviations above it (link-capacity.ts), and a step is made of it.
 */
const additiveS = (rateBps: number) =>
  (3 * Math.sqrt((2.5 * rateBps) / 1000) * 1000 + 0.1 * rateBps) / ((1200 * 8) / (2 * 0.3));

for (const rateBps of [1e6, 2e6]) {
  scenario(
    `remb: an idle link of ${rateBps / 1e6} Mbit/s`,
    { durationMs: 120 * s, link: rateBps, constraints: { startBps: 500e3 } },
    [
      {
        what: 'time to 85 % of the link, s: 5 without an estimate, then 8 % a second and a step to wait for',
        value: r => r.reached(0.85 * rateBps) / s,
        atLeast: 5,
        atMost: 5 + Math.log((1.1 * rateBps) / 500e3) / Math.log(1.08),
      },
      { what: 'utilisation after half a minute', value: r => r.utilisation(30 * s, 120 * s), atLeast: 0.8 },
      {
        what: '95th percentile of the queue, ms: as with gcc',
        value: r => r.queueMs(95, 30 * s, 120 * s),
        atMost: rateBps < 1.92e6 ? 100 : 160,
      },
    ],
  );
}

scenario('remb: an idle link of 5 Mbit/s is not filled, 3 Mbit/s are the most', { durationMs: 120 * s, link: 5e6 }, [
  { what: 'highest target', value: r => r.highestTarget(0, 120 * s), atMost: 3e6 },
  {
    what: 'lowest target after half a minute: within the hysteresis of the most',
    value: r => r.lowestTarget(30 * s, 120 * s),
    atLeast: 3e6 / 1.1,
  },
  {
    what: '95th percentile of the queue, ms: a frame at 2.5 x 3 Mbit/s',
    value: r => r.queueMs(95, 30 * s, 120 * s),
    atMost: 30,
  },
]);

scenario(
  'remb: 5 Mbit/s are filled where the bounds allow it',
  { durationMs: 120 * s, link: 5e6, params: { maxRate: '8mbit' } },
  [{ what: 'utilisation after a minute', value: r => r.utilisation(60 * s, 120 * s), atLeast: 0.8 }],
);

scenario(
  'remb: the rate steps from 3 to 1 Mbit/s and back',
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 40 * s, rateBps: 1e6 },
      { atMs: 80 * s, rateBps: 3e6 },
    ],
  },
  [
    { what: 'target 3 s after the step down', value: r => r.highestTarget(43 * s, 80 * s), atMost: 1.15e6 },
    { what: 'utilisation of the slow link', value: r => r.utilisation(50 * s, 80 * s), atLeast: 0.8 },
    {
      what: 'time to 85 % of the fast link after the step up, s',
      value: r => (r.reached(0.85 * 3e6, 80 * s) - 80 * s) / s,
      atMost: 2 + additiveS(1e6) + Math.log(1.1 * 3) / Math.log(1.08),
    },
  ],
);

scenario(
  'remb: 2 % of random loss change nothing',
  { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio: 0.02 }] },
  [{ what: 'lowest target after half a minute', value: r => r.lowestTarget(30 * s, 120 * s), atLeast: 0.75 * 3e6 }],
);

scenario(
  'remb: half of all packets is lost',
  {
    durationMs: 80 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 40 * s, lossRatio: 0.5 },
    ],
  },
  [
    {
      what: 'target at the end, over target before',
      value: r => r.targetAt(80 * s) / r.targetAt(40 * s),
      atLeast: 0.5,
    },
  ],
);

for (const queueMs of [100, 300]) {
  scenario(
    `remb: beside a TCP flow in a queue of ${queueMs} ms`,
    { durationMs: 180 * s, link: 4e6, queueMs, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] },
    [
      { what: 'rate beside the flow: less than half', value: r => r.arrivedBps(60 * s, 120 * s), atMost: 2e6 },
      { what: 'lowest target', value: r => r.lowestTarget(60 * s, 120 * s), atLeast: 500e3 },
      { what: 'rate of the flow', value: r => (r.tcpBytes[0]! * 8) / 90, atLeast: 2e6 },
      {
        what: 'utilisation half a minute after: up to 3 of 4 Mbit/s',
        value: r => r.utilisation(150 * s, 180 * s),
        atLeast: 0.6,
      },
    ],
  );
}

scenario(
  'remb: the link is dead for 30 s',
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 30 * s, rateBps: 0 },
      { atMs: 60 * s, rateBps: 3e6 },
    ],
  },
  [
    {
      what: 'target at the end of the silence, over the last before it',
      value: r => r.targetAt(59 * s) / r.targetAt(31 * s),
      atLeast: 1,
      atMost: 1,
    },
    { what: 'utilisation from 15 s after it', value: r => r.utilisation(75 * s, 120 * s), atLeast: 0.8 },
  ],
);
