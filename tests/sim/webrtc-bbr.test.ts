/**
 * WebRTC-BBR over simulated links: lists of steps, each with what it looks at and the bounds of what it may find. One
 * bottleneck, 25 ms each way, feedback every 62 ms, 300 ms of queue, video of 30 frames per second, unless a scenario
 * says otherwise.
 *
 * Where the bounds come from: the lowest round trip is between 50 ms and 50 + 62 ms, as feedback waits for its time. In
 * PROBE_BW the window is two such round trips and what one report brings beyond the estimate, so the queue holds at
 * most 2 x 112 + 62 - 50 = 236 ms. PROBE_RTT takes 200 ms, a round and the time to empty and refill the path, less than
 * 0.5 s of every 10 s.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recording } from '../../harness/virtual/recording.ts';
import { plugin } from '../../server/congestion/webrtc-bbr/index.ts';
import { runScenario, type Scenario, scenarios } from './scenario.ts';

const s = 1000;
const longestRttMs = 112;
const longestQueueMs = 236;

const scenario = scenarios(plugin);

function lowest(recording: Recording, name: string, fromMs: number, toMs: number): number {
  return Math.min(...recording.series(name, fromMs, toMs).map(Number));
}

function highest(recording: Recording, name: string, fromMs: number, toMs: number): number {
  return Math.max(...recording.series(name, fromMs, toMs).map(Number));
}

/** Share of the time in which a trace field is not that word. */
function shareNot(recording: Recording, name: string, word: string, fromMs: number, toMs: number): number {
  const words = recording.series(name, fromMs, toMs);
  return words.filter(value => value !== word).length / words.length;
}

for (const rateBps of [1e6, 2e6, 5e6]) {
  for (const pacerBurstMs of [5, 40]) {
    scenario(
      `steady: an idle link of ${rateBps / 1e6} Mbit/s, a pacer with bursts of ${pacerBurstMs} ms`,
      { durationMs: 120 * s, link: rateBps, pacerBurstMs },
      [
        // The first window of 46 720 bytes leaves at once; its first sample is that of the second round trip.
        {
          what: 'time to 85 % of the link, ms: two round trips and the first window',
          value: r => r.reached(0.85 * rateBps),
          atMost: 2 * (longestRttMs + (46_720 * 8000) / rateBps),
        },
        { what: 'utilisation after 10 s', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.95 },
        {
          what: 'utilisation in the worst 10 s: two measurements of the round trip begin in them at most',
          value: r =>
            Math.min(...Array.from({ length: 11 }, (_, i) => r.utilisation((10 + 10 * i) * s, (20 + 10 * i) * s))),
          atLeast: 0.9,
        },
        {
          what: '95th percentile of the queue, ms',
          value: r => r.queueMs(95, 20 * s, 120 * s),
          atMost: longestQueueMs,
        },
        {
          what: 'mean estimate over the rate: samples quantised by feedback overestimate',
          value: r => r.meanOf('estimateBps', 10 * s, 120 * s) / rateBps,
          atLeast: 1,
          atMost: 1.1,
        },
        {
          what: 'highest lowest round trip, ms, after the first probe',
          value: r => highest(r, 'minRttMs', 30 * s, 120 * s),
          atLeast: 50,
          atMost: longestRttMs + longestQueueMs,
        },
      ],
    );
  }
}

scenario(
  'PROBE_RTT: every ten seconds or later, with four segments in flight',
  { durationMs: 120 * s, link: 2e6, pacerBurstMs: 5 },
  [
    {
      what: 'probes: no more than one in 10.2 s, and a lower sample may put one off once',
      value: r => highest(r, 'probeRttCount', 0, 120 * s),
      atLeast: 5,
      atMost: 11,
    },
    {
      what: 'share of the time',
      value: r => 1 - shareNot(r, 'state', 'probe-rtt', 10 * s, 120 * s),
      atLeast: 0.01,
      atMost: 0.05,
    },
    { what: 'window, bytes', value: r => lowest(r, 'windowBytes', 10 * s, 120 * s), atLeast: 5840, atMost: 5840 },
    {
      what: 'lowest round trip at the end, ms: path and feedback',
      value: r => lowest(r, 'minRttMs', 119 * s, 120 * s),
      atLeast: 50,
      atMost: longestRttMs,
    },
  ],
);

scenario(
  'the rate steps from 3 to 1 Mbit/s and back',
  {
    durationMs: 120 * s,
    link: [
      { atMs: 0, rateBps: 3e6 },
      { atMs: 40 * s, rateBps: 1e6 },
      { atMs: 80 * s, rateBps: 3e6 },
    ],
  },
  [
    { what: 'target before', value: r => r.meanTarget(20 * s, 40 * s), atLeast: 0.9 * 3e6, atMost: 1.1 * 3e6 },
    {
      what: 'target a second after the step: the old maximum still stands',
      value: r => r.highestTarget(41 * s, 42 * s),
      atLeast: 2.5e6,
    },
    // The queue of 112.5 kB lasts 900 ms at the new rate; the maximum goes after more than ten rounds of that and the
    // path.
    {
      what: 'target after eleven of the longest round trips',
      value: r => r.highestTarget(40 * s + 11 * (900 + longestRttMs), 80 * s),
      atMost: 1.1e6,
    },
    { what: 'utilisation of the slow link', value: r => r.utilisation(52 * s, 80 * s), atLeast: 0.95 },
    // A quarter more per cycle of eight round trips: ln 2.55 / ln 1.25 = 4.2 cycles, five begun ones, and a PROBE_RTT
    // between.
    {
      what: 'time to 85 % of the fast link after the step up, ms',
      value: r => r.reached(0.85 * 3e6, 80 * s) - 80 * s,
      atMost: 5 * 8 * longestRttMs + 500,
    },
    { what: 'utilisation of the fast link again', value: r => r.utilisation(100 * s, 120 * s), atLeast: 0.95 },
  ],
);

for (const lossRatio of [0.02, 0.1]) {
  for (const recovery of ['on', 'off']) {
    scenario(
      `${lossRatio * 100} % of random loss, recovery ${recovery}: the gain of 1.25 makes up for it`,
      {
        durationMs: 120 * s,
        link: [{ atMs: 0, rateBps: 3e6, lossRatio }],
        params: { recovery },
      },
      [
        {
          what: 'utilisation over what is not lost',
          value: r => r.utilisation(10 * s, 120 * s) / (1 - lossRatio),
          atLeast: 0.9,
        },
        // Of reports with 62 ms of 3 Mbit/s, 19 packets, the share with a loss starts recovery or keeps it up.
        {
          what: 'share of the time in recovery',
          value: r => shareNot(r, 'recoveryState', 'none', 10 * s, 120 * s),
          ...(recovery === 'on' ? { atLeast: 1 - (1 - lossRatio) ** 19 } : { atMost: 0 }),
        },
      ],
    );
  }
}

scenario(
  '30 % of random loss: 1.25 x 0.7 is below 1, so every cycle finds less',
  { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio: 0.3 }] },
  [{ what: 'utilisation in the second minute', value: r => r.utilisation(60 * s, 120 * s), atMost: 0.35 }],
);

scenario(
  'against one TCP flow in a queue of 300 ms',
  { durationMs: 180 * s, link: 4e6, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] },
  [
    { what: 'rate beside the flow', value: r => r.arrivedBps(60 * s, 120 * s), atLeast: 1e6, atMost: 3e6 },
    { what: 'rate of the flow', value: r => (r.tcpBytes[0]! * 8) / 90, atLeast: 1e6 },
    { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.95 },
  ],
);

scenario(
  'an encoder that makes 500 kbit/s on a link of 3 Mbit/s: padding probes for more',
  { durationMs: 120 * s, link: 3e6, constraints: { maxBps: 500e3 } },
  [
    { what: 'media', value: r => r.mediaBps(10 * s, 120 * s), atLeast: 0.95 * 500e3, atMost: 1.05 * 500e3 },
    {
      what: 'lowest estimate: above the largest frames, 20 % more than the mean',
      value: r => lowest(r, 'estimateBps', 10 * s, 120 * s),
      atLeast: 1.05 * 600e3,
    },
    {
      what: 'padding, bit/s: some, in one phase of eight at a quarter more than the estimate',
      value: r => r.arrivedBps(10 * s, 120 * s) - r.mediaBps(10 * s, 120 * s),
      atLeast: 10e3,
      atMost: (1.25 * 3e6) / 8,
    },
    {
      what: '95th percentile of the queue, ms: the link is never full',
      value: r => r.queueMs(95, 10 * s, 120 * s),
      atMost: 50,
    },
  ],
);

scenario(
  'the same where pacing ends at what the media can use: the estimate does, too',
  {
    durationMs: 120 * s,
    link: 3e6,
    constraints: { maxBps: 500e3 },
    params: { pacingCeiling: 'media' },
  },
  [
    {
      what: "highest estimate, a feedback interval's quantisation above",
      value: r => highest(r, 'estimateBps', 10 * s, 120 * s),
      atMost: 1.3 * 500e3,
    },
  ],
);

scenario(
  "the same with application-limited samples marked: they no longer pass for the path's",
  {
    durationMs: 120 * s,
    link: 3e6,
    constraints: { maxBps: 500e3 },
    params: { appLimit: 'inferred', similarRtt: 'if-app-limited' },
  },
  [
    {
      what: 'mean estimate: above 80 % of the link',
      value: r => r.meanOf('estimateBps', 10 * s, 120 * s),
      atLeast: 0.8 * 3e6,
      atMost: 1.1 * 3e6,
    },
    { what: 'measurements of the round trip', value: r => highest(r, 'probeRttCount', 0, 120 * s), atMost: 0 },
    { what: 'measurements spared', value: r => highest(r, 'skippedProbeRttCount', 0, 120 * s), atLeast: 5 },
  ],
);

/** Where the paper compares its versions (figures 5 and 6). Its "100 kb" is taken for kilobytes: 1.6 s of queue. */
const figure5: Scenario = {
  durationMs: 300 * s,
  link: 500e3,
  queueMs: 1600,
  pacerBurstMs: 5,
  constraints: { maxBps: 1.3e6 },
};

/** What the versions can be told by, after the first ten seconds; losses in the first five. */
function figures(params: Record<string, unknown>) {
  const recording = runScenario(plugin, { ...figure5, params });
  const [fromMs, toMs] = [10 * s, 300 * s];
  return {
    mediaBps: recording.mediaBps(fromMs, toMs),
    estimateBps: recording.meanOf('estimateBps', fromMs, toMs),
    queueMs: recording.queueMs(50, fromMs, toMs),
    minRttMs: recording.meanOf('minRttMs', fromMs, toMs),
    startLossRatio: recording.lossRatio(0, 5 * s),
    probes: highest(recording, 'probeRttCount', 0, toMs),
  };
}

const change1 = { probeRttWindow: 'bdp', probeRttGain: 0.5, minRttExpiry: '5s', similarRtt: 'always' };
const change2 = { bandwidth: 'third-best' };
const change3 = { filter: 'replace-one' };
const stock = figures({});

test('figure 5, unmodified: overestimation of bandwidth and round trip, and a standing queue', () => {
  assert.ok(stock.mediaBps > 0.95 * 500e3, `${stock.mediaBps}`);
  assert.ok(stock.estimateBps > 500e3, `${stock.estimateBps}`);
  assert.ok(stock.minRttMs > 1.5 * 50, `${stock.minRttMs}`);
  assert.ok(stock.queueMs > 50, `${stock.queueMs}`);
});

test('change 1: twice the measurements of the round trip, each with more in flight; a lower round trip', () => {
  const changed = figures(change1);
  assert.ok(changed.probes > 1.8 * stock.probes, `${changed.probes} and ${stock.probes}`);
  assert.ok(changed.minRttMs < stock.minRttMs, `${changed.minRttMs} and ${stock.minRttMs}`);
  assert.ok(changed.mediaBps > 0.95 * 500e3, `${changed.mediaBps}`);
});

test('changes 2 and 3: each lowers the estimate a little, both together below the link', () => {
  const [second, third, both] = [figures(change2), figures(change3), figures({ ...change2, ...change3 })] as const;
  for (const changed of [second, third]) {
    assert.ok(
      changed.estimateBps < stock.estimateBps && changed.estimateBps > 500e3,
      `${changed.estimateBps} and ${stock.estimateBps}`,
    );
    assert.ok(changed.queueMs < stock.queueMs, `${changed.queueMs} and ${stock.queueMs}`);
  }
  assert.ok(both.estimateBps < 500e3, `${both.estimateBps}`);
  assert.ok(both.queueMs < 0.5 * stock.queueMs, `${both.queueMs} and ${stock.queueMs}`);
  assert.ok(both.mediaBps < stock.mediaBps, `${both.mediaBps} and ${stock.mediaBps}`);
});

test('recovery off: the flight of STARTUP is not cut when the queue overflows', () => {
  const changed = figures({ recovery: 'off' });
  assert.ok(
    changed.startLossRatio > 1.2 * stock.startLossRatio,
    `${changed.startLossRatio} and ${stock.startLossRatio}`,
  );
  assert.ok(changed.mediaBps > 0.95 * 500e3, `${changed.mediaBps}`);
  const combined = figures({ ...change2, ...change3, recovery: 'off' });
  assert.ok(combined.mediaBps < changed.mediaBps, 'with changes 2 and 3 it is worse than alone, as in section VII-B');
});

test('the same seed gives the same recording, another seed another', () => {
  const options: Scenario = {
    durationMs: 30 * s,
    link: [{ atMs: 0, rateBps: 2e6, lossRatio: 0.01 }],
    tcp: [{ fromMs: 10 * s, toMs: 20 * s }],
  };
  const [first, again, other] = [1, 1, 2].map(seed => runScenario(plugin, { ...options, seed })) as [
    Recording,
    Recording,
    Recording,
  ];
  assert.deepEqual(first.packets, again.packets);
  assert.deepEqual(first.traces, again.traces);
  assert.notDeepEqual(first.targets, other.targets);
});
