/**
 * NADA over simulated links, held to what RFC 8698 says of itself: the pace of its ramp-up, the queue at its
 * equilibrium, weights, losses. One bottleneck, 25 ms each way, 300 ms of queue, video of 30 frames a second.
 *
 * At equilibrium the queue delay is PRIO x XREF x RMAX / rate (equations 5 to 7). NADA knows it after a
 * minimum filter; a packet on average waits for part of its frame as well, up to a frame's time of 1/30 s.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from '../../core/stats/quantile.ts';
import { plugin } from '../../server/congestion/nada/index.ts';
import { runScenario, scenarios } from './scenario.ts';

const s = 1000;
const frameMs = 1000 / 30;
const scenario = scenarios(plugin);

/**
 * Longest time from one rate to another, s: steps of at least 1 + 50 / (110 + 220), each seen after a window of 500 ms,
 * a report and the round trip.
 */
const rampUpS = (rateBps: number, fromBps = 300e3) =>
  (Math.log(rateBps / fromBps) / Math.log(1 + 50 / 330)) * (0.5 + 2 * 0.062 + 0.11);

for (const rateBps of [1e6, 2e6, 5e6]) {
  for (const maxBps of [Math.max(3e6, 1.2 * rateBps), 8e6]) {
    const queueMs = (10 * maxBps) / rateBps;
    scenario(
      `nada: an idle link of ${rateBps / 1e6} Mbit/s, media of up to ${maxBps / 1e6} Mbit/s`,
      { durationMs: 120 * s, link: rateBps, constraints: { maxBps } },
      [
        {
          what: 'time to 85 % of the link, s',
          value: r => r.reached(0.85 * rateBps) / s,
          atMost: rampUpS(0.85 * rateBps),
        },
        {
          what: 'longest queue on the way up, ms: QBOUND and a frame',
          value: r => r.queueMs(100, 0, r.reached(0.85 * rateBps)),
          atMost: 50 + frameMs,
        },
        { what: 'utilisation after half a minute', value: r => r.utilisation(30 * s, 120 * s), atLeast: 0.95 },
        {
          what: 'median of the queue, ms',
          value: r => r.queueMs(50, 30 * s, 120 * s),
          atLeast: queueMs - 5,
          atMost: queueMs + frameMs,
        },
        {
          what: '95th percentile of the queue, ms: the same again at most',
          value: r => r.queueMs(95, 30 * s, 120 * s),
          atMost: 2 * (queueMs + frameMs),
        },
      ],
    );
  }
}

for (const [what, params, factor] of [
  ['twice the priority', { priority: 2 }, 2],
  ['twice the reference rate', { referenceMaxRate: '6mbit' }, 2],
] as const) {
  scenario(
    `nada: ${what} stands twice the queue`,
    { durationMs: 120 * s, link: 2e6, constraints: { maxBps: 3e6 }, params },
    [
      {
        what: 'median of the queue, ms',
        value: r => r.queueMs(50, 30 * s, 120 * s),
        atLeast: factor * 15 - 5,
        atMost: factor * 15 + frameMs,
      },
    ],
  );
}

scenario(
  'nada: media of up to 3 Mbit/s on 5 Mbit/s come to their most, without a queue',
  { durationMs: 60 * s, link: 5e6, constraints: { maxBps: 3e6 } },
  [
    { what: 'time to the most, s', value: r => r.reached(3e6) / s, atMost: rampUpS(3e6) },
    {
      what: 'lowest target after: less by 5 % while a frame waits in the pacer',
      value: r => r.lowestTarget(20 * s, 60 * s),
      atLeast: 0.95 * 3e6,
    },
    {
      what: '95th percentile of the queue, ms: less than a frame',
      value: r => r.queueMs(95, 20 * s, 60 * s),
      atMost: frameMs,
    },
  ],
);

const downAndUp = {
  durationMs: 120 * s,
  constraints: { maxBps: 3e6 },
  link: [
    { atMs: 0, rateBps: 3e6 },
    { atMs: 40 * s, rateBps: 1e6 },
    { atMs: 80 * s, rateBps: 3e6 },
  ],
};

scenario('nada: the rate steps from 3 to 1 Mbit/s and back', downAndUp, [
  {
    what: 'time below the new rate, s: the change of the signal alone takes all of the rate when it passes 500 ms',
    value: r => (r.targets.find(({ atMs, targetBps }) => atMs > 40 * s && targetBps < 1e6)!.atMs - 40 * s) / s,
    atMost: 1.5,
  },
  {
    what: 'time to 85 % of the fast link after the step up, of what the ramp-up takes from where it was',
    value: r => (r.reached(0.85 * 3e6, 80 * s) - 80 * s) / s / rampUpS(0.85 * 3e6, r.targetAt(80 * s)),
    atMost: 1,
  },
  { what: 'utilisation of the fast link again', value: r => r.utilisation(100 * s, 120 * s), atLeast: 0.95 },
]);

// the losses of the step have delays above QTH warped for a while: whether the queue comes below it in time hangs on
// the sizes of a few frames
test('nada: after the step down most runs settle at the equilibrium; some fill the queue again first', () => {
  const runs = Array.from({ length: 12 }, (_, k) => runScenario(plugin, { ...downAndUp, seed: k + 1 }));
  const used = runs.map(recording => recording.utilisation(45 * s, 80 * s));
  assert.ok(
    median(used)! >= 0.99 && Math.min(...used) >= 0.8,
    `utilisation of the slow link: ${used.map(ratio => ratio.toFixed(2)).join(', ')}`,
  );
  const queuesMs = runs.map(recording => recording.queueMs(50, 50 * s, 80 * s));
  assert.ok(median(queuesMs)! <= 30 + frameMs, `median of the queue, ms: ${queuesMs.map(Math.round).join(', ')}`);
});

scenario(
  "nada: a link below a fifth of RMAX, after losses: the queue is full, as delays above QTH are taken for another's",
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 40 * s, rateBps: 1e6 },
    ],
    constraints: { maxBps: 8e6 },
  },
  [
    { what: '95th percentile of the queue, ms', value: r => r.queueMs(95, 60 * s, 120 * s), atLeast: 800 },
    { what: 'utilisation all the same', value: r => r.utilisation(60 * s, 120 * s), atLeast: 0.7 },
  ],
);

for (const maxBps of [3e6, 8e6]) {
  // 10 ms x (2 % / 1 %)^2 = 40 ms; between losses there is ramp-up, which only adds
  scenario(
    `nada: 2 % of random loss, media of up to ${maxBps / 1e6} Mbit/s`,
    { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio: 0.02 }], constraints: { maxBps } },
    [
      {
        what: 'target: at least the equilibrium at 40 ms',
        value: r => r.meanTarget(10 * s, 120 * s),
        atLeast: (10 / 40) * maxBps,
      },
      { what: 'utilisation', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.5 },
    ],
  );
}

scenario(
  'nada: 10 % of random loss: the signal is at its bound',
  { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio: 0.1 }] },
  [
    {
      what: 'target: near the equilibrium at 500 ms, 160 kbit/s',
      value: r => r.meanTarget(20 * s, 120 * s),
      atLeast: 80e3,
      atMost: 320e3,
    },
  ],
);

for (const queueMs of [100, 300]) {
  scenario(
    `nada: beside a TCP flow in a queue of ${queueMs} ms`,
    { durationMs: 180 * s, link: 4e6, queueMs, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] },
    [
      {
        what: 'rate beside the flow: its ground is held, half of a fair share at least',
        value: r => r.arrivedBps(60 * s, 120 * s),
        atLeast: 1e6,
      },
      { what: 'lowest target', value: r => r.lowestTarget(60 * s, 120 * s), atLeast: 150e3 },
      { what: 'rate of the flow: the same', value: r => (r.tcpBytes[0]! * 8) / 90, atLeast: 1e6 },
      { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.95 },
    ],
  );
}

scenario(
  'nada: without warping a TCP flow in a queue of 300 ms takes nearly all',
  {
    durationMs: 120 * s,
    link: 4e6,
    constraints: { maxBps: 4e6 },
    params: { warpDelay: '5s' },
    tcp: [{ fromMs: 30 * s, toMs: 120 * s }],
  },
  [
    {
      what: 'rate beside the flow: XREF x RMAX / 200 ms of queue',
      value: r => r.arrivedBps(60 * s, 120 * s),
      atMost: ((10 * 4e6) / 200) * 1.5,
    },
  ],
);

scenario(
  'nada: constant cross traffic takes half of the link, on and off',
  {
    durationMs: 120 * s,
    link: 4e6,
    constraints: { maxBps: 4e6 },
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
      atLeast: 1.7e6,
      atMost: 2.05e6,
    },
    { what: 'rate without it', value: r => r.arrivedBps(75 * s, 90 * s), atLeast: 3.6e6 },
  ],
);

scenario(
  'nada: the link is dead for 30 s',
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
      what: 'target after 5 s: the minimum, after seven halvings and a second of silence',
      value: r => r.targetAt(35 * s),
      atMost: 30e3,
    },
    {
      what: 'time to 85 % after it, s',
      value: r => (r.reached(0.85 * 3e6, 60 * s) - 60 * s) / s,
      atMost: (Math.log(85) / Math.log(1 + 50 / 330)) * 0.734,
    },
    { what: 'utilisation half a minute after', value: r => r.utilisation(90 * s, 120 * s), atLeast: 0.9 },
  ],
);

scenario(
  'nada: an encoder that makes 500 kbit/s on a link of 3 Mbit/s',
  { durationMs: 120 * s, link: 3e6, media: { maxBps: 500e3 } },
  [
    {
      what: "highest target: a step of the ramp-up above what is sent, the window's count a frame off and each frame by 20 %",
      value: r => r.highestTarget(10 * s, 120 * s),
      atMost: 500e3 * (1 + 50 / 270) * (16 / 15) * 1.2,
    },
    { what: 'lowest target', value: r => r.lowestTarget(10 * s, 120 * s), atLeast: 500e3 },
  ],
);
