/**
 * SCReAM and SCReAMv2 over simulated links: lists of steps, each with what it looks at and the bounds of
 * what it may find. One bottleneck, 25 ms each way, 300 ms of queue, reports every 62 ms, video of 30 frames
 * per second whose size follows the target within 20 %, 8 Mbit/s at most, from 300 kbit/s.
 *
 * The bounds follow from the algorithms' own constants; the reckoning is beside each. A pacer may let 40 ms
 * leave at once, which adds as much to the queue.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recording } from '../../harness/virtual/recording.ts';
import type {
  Constraints,
  Controller,
  ControllerPlugin,
  Decision,
  Feedback,
  SentPacket,
} from '../../server/congestion/controller.ts';
import { plugin as scream } from '../../server/congestion/scream/index.ts';
import { plugin as screamV2 } from '../../server/congestion/scream-v2/index.ts';
import { type SimulationOptions, simulate } from './simulation.ts';

type Step = { what: string; value: (recording: Recording) => number; atLeast?: number; atMost?: number };

type Scenario = Omit<SimulationOptions, 'controller'> & { params?: Record<string, unknown> };

const both: readonly ControllerPlugin[] = [scream, screamV2];

function run(plugin: ControllerPlugin, { params, ...options }: Scenario): Recording {
  return simulate({ ...options, controller: plugin.create(plugin.params.parse(params ?? {})) });
}

function scenario(plugin: ControllerPlugin, title: string, options: Scenario, steps: readonly Step[]): void {
  test(`${plugin.id}: ${title}`, () => {
    const recording = run(plugin, options);
    for (const { what, value, atLeast = -Infinity, atMost = Infinity } of steps) {
      const found = value(recording);
      assert.ok(found >= atLeast && found <= atMost, `${what}: found ${found}, wanted ${atLeast} to ${atMost}`);
    }
  });
}

const s = 1000;
const pacerBurstMs = 40;

/** Utilisation in the worst of the 10 s long parts of a time. */
const worst = (recording: Recording, fromMs: number, toMs: number) =>
  Math.min(
    ...Array.from({ length: (toMs - fromMs) / (10 * s) }, (_, i) =>
      recording.utilisation(fromMs + 10 * s * i, fromMs + 10 * s * (i + 1)),
    ),
  );

for (const rateBps of [1e6, 2e6, 5e6]) {
  const title = `an idle link of ${rateBps / 1e6} Mbit/s`;
  // by a tenth every 200 ms up to 400 kbit/s, then by 200 kbit/s in a second
  const rampUpS = 0.2 * Math.ceil(Math.log(400 / 300) / Math.log(1.1)) + (0.85 * rateBps - 400e3) / 200e3;
  for (const competingFlows of ['compensate', 'ignore']) {
    scenario(
      scream,
      `${title}, competing flows: ${competingFlows}`,
      { durationMs: 120 * s, link: rateBps, params: { competingFlows } },
      [
        {
          what: 'time to 85 % of the link, s: the ramp-up speed',
          value: r => r.reached(0.85 * rateBps) / s,
          atLeast: rampUpS - 0.4,
          atMost: rampUpS + 0.6,
        },
        { what: 'utilisation after 30 s', value: r => r.utilisation(30 * s, 120 * s), atLeast: 0.9 },
        { what: 'utilisation in the worst 10 s', value: r => worst(r, 30 * s, 120 * s), atLeast: 0.8 },
        {
          what:
            '95th percentile of the queue, ms: the target of 100 ms and a burst; with compensation the target rises ' +
            "by the flow's own queue, up to 400 ms",
          value: r => r.queueMs(95, 30 * s, 120 * s),
          atLeast: 50,
          atMost: competingFlows === 'ignore' ? 100 + pacerBurstMs : 300,
        },
      ],
    );
  }
  scenario(
    scream,
    `${title}, the target follows the throughput's difference`,
    { durationMs: 120 * s, link: rateBps, params: { rateChange: 'difference' } },
    [
      {
        what: 'utilisation after 30 s: some is left to the guard',
        value: r => r.utilisation(30 * s, 120 * s),
        atLeast: 0.75,
        atMost: 0.97,
      },
      {
        what: '95th percentile of the queue, ms: the target delay is not reached',
        value: r => r.queueMs(95, 30 * s, 120 * s),
        atMost: 100,
      },
    ],
  );
  scenario(screamV2, title, { durationMs: 120 * s, link: rateBps }, [
    // 3000 bytes at first; each round trip of 50 ms adds half a segment and more: under 2.5 s to the 10 kB of 85 % of 2
    // Mbit/s
    { what: 'time to 85 % of the link, s', value: r => r.reached(0.85 * rateBps) / s, atMost: 5 },
    { what: 'utilisation after 10 s', value: r => r.utilisation(10 * s, 120 * s), atLeast: 0.85 },
    { what: 'utilisation in the worst 10 s', value: r => worst(r, 10 * s, 120 * s), atLeast: 0.8 },
    {
      what: 'median of the queue, ms: reductions begin at half of 60 ms',
      value: r => r.queueMs(50, 10 * s, 120 * s),
      atLeast: 15,
      atMost: 45,
    },
    {
      what: '95th percentile of the queue, ms: the target of 60 ms and a burst',
      value: r => r.queueMs(95, 10 * s, 120 * s),
      atMost: 60 + pacerBurstMs,
    },
  ]);
}

const stepDownAndUp: Scenario = {
  durationMs: 120 * s,
  link: [
    { atMs: 0, rateBps: 3e6 },
    { atMs: 40 * s, rateBps: 1e6 },
    { atMs: 80 * s, rateBps: 3e6 },
  ],
};

/**
 * Target after so long with a full pacer: every 200 ms 40 kbit/s of ramp-up, then 95 % of it. The encoder leaves
 * frames out, so more than 300 ms are never subtracted.
 */
function withFullPacerBps(fromBps: number, durationMs: number): number {
  let targetBps = fromBps;
  for (let atMs = 0; atMs < durationMs; atMs += 200) targetBps = 0.95 * (targetBps + 40e3);
  return targetBps;
}

scenario(scream, 'the rate steps from 3 to 1 Mbit/s and back', stepDownAndUp, [
  { what: 'target before', value: r => r.meanTarget(20 * s, 40 * s), atLeast: 2.4e6, atMost: 3.3e6 },
  {
    what: 'target 3 s after the step down, by what it must be',
    value: r => r.targetAt(43 * s) / withFullPacerBps(r.targetAt(40 * s), 3 * s),
    atLeast: 0.95,
    atMost: 1.05,
  },
  { what: 'target 8 s after it', value: r => r.targetAt(48 * s), atMost: 1.1e6 },
  { what: 'utilisation of the slow link', value: r => r.utilisation(50 * s, 80 * s), atLeast: 0.9 },
  { what: '95th percentile of the queue on the slow link, ms', value: r => r.queueMs(95, 50 * s, 80 * s), atMost: 300 },
  {
    what: 'time to 85 % of the fast link after the step up, s: 1.55 Mbit/s at 200 kbit/s in a second, a fifth of it at first',
    value: r => (r.reached(2.55e6, 80 * s) - 80 * s) / s,
    atLeast: 7,
    atMost: 20,
  },
  { what: 'utilisation of the fast link again', value: r => r.utilisation(100 * s, 120 * s), atLeast: 0.9 },
]);

scenario(screamV2, 'the rate steps from 3 to 1 Mbit/s and back', stepDownAndUp, [
  { what: 'target before', value: r => r.meanTarget(20 * s, 40 * s), atLeast: 2.4e6, atMost: 3.3e6 },
  { what: 'target 3 s after the step down', value: r => r.targetAt(43 * s), atMost: 1.1e6 },
  { what: 'utilisation of the slow link', value: r => r.utilisation(50 * s, 80 * s), atLeast: 0.85 },
  {
    what: '95th percentile of the queue on the slow link, ms',
    value: r => r.queueMs(95, 50 * s, 80 * s),
    atMost: 60 + pacerBurstMs,
  },
  {
    what: 'time to 85 % of the fast link after the step up, s: at most 12 segments of a quarter per round trip',
    value: r => (r.reached(2.55e6, 80 * s) - 80 * s) / s,
    atMost: 5,
  },
  { what: 'utilisation of the fast link again', value: r => r.utilisation(100 * s, 120 * s), atLeast: 0.85 },
]);

for (const lossRatio of [0.02, 0.1]) {
  const options: Scenario = { durationMs: 120 * s, link: [{ atMs: 0, rateBps: 3e6, lossRatio }] };
  // each loss takes a tenth of the target, a second gives 200 kbit/s or a fifth of that: packets of 1200 bytes
  const steadyBps = Math.sqrt((200e3 * 9600) / (0.1 * lossRatio));
  scenario(scream, `${100 * lossRatio} % of random loss`, options, [
    {
      what: 'target: losses against the ramp-up; several in one round trip count once',
      value: r => r.meanTarget(20 * s, 120 * s),
      atLeast: Math.sqrt(0.2) * steadyBps,
      atMost: 1.25 * steadyBps,
    },
    {
      what: '95th percentile of the queue, ms: the link is never full',
      value: r => r.queueMs(95, 20 * s, 120 * s),
      atMost: 30,
    },
  ]);
  // each loss takes three tenths of the window, each round trip gives a segment of 1000 bytes or a quarter of it, and
  // never below 3000 bytes
  const windowBytes = Math.sqrt((1000 * 1200) / (0.3 * lossRatio));
  scenario(screamV2, `${100 * lossRatio} % of random loss`, options, [
    {
      what: "target: losses against a segment per round trip of 50 to 83 ms (a frame's time to the next report's newest packet)",
      value: r => r.meanTarget(20 * s, 120 * s),
      atLeast: (Math.max(3000 * 0.8, 0.5 * windowBytes * 0.9) * 8000) / 83,
      atMost: (1.1 * windowBytes * 8000) / 50,
    },
    {
      what: '95th percentile of the queue, ms: the link is never full',
      value: r => r.queueMs(95, 20 * s, 120 * s),
      atMost: 30,
    },
  ]);
}

const besideTcp: Scenario = { durationMs: 180 * s, link: 4e6, tcp: [{ fromMs: 30 * s, toMs: 120 * s }] };

scenario(scream, 'against one TCP flow in a queue of 300 ms', besideTcp, [
  {
    what: 'rate beside the flow: a share, as the target delay rises with the queue',
    value: r => r.arrivedBps(60 * s, 120 * s),
    atLeast: 0.5e6,
    atMost: 2e6,
  },
  {
    what: 'longest target delay, ms',
    value: r => Math.max(...r.series('queueDelayTargetMs', 60 * s, 120 * s).map(Number)),
    atLeast: 200,
    atMost: 400,
  },
  { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.85 },
]);

scenario(
  scream,
  'against one TCP flow in a queue of 300 ms, not compensated for: next to nothing, as RFC 8298 says',
  { ...besideTcp, params: { competingFlows: 'ignore' } },
  [
    { what: 'rate beside the flow', value: r => r.arrivedBps(60 * s, 120 * s), atMost: 0.2e6 },
    { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.85 },
  ],
);

scenario(
  screamV2,
  'against one TCP flow in a queue of 300 ms: next to nothing, a long queue holds a small window down',
  besideTcp,
  [
    { what: 'rate beside the flow', value: r => r.arrivedBps(60 * s, 120 * s), atMost: 0.3e6 },
    { what: 'rate of the flow', value: r => (r.tcpBytes[0]! * 8) / 90, atLeast: 3e6 },
    { what: 'utilisation half a minute after the flow', value: r => r.utilisation(150 * s, 180 * s), atLeast: 0.85 },
  ],
);

for (const plugin of both) {
  scenario(
    plugin,
    'constant cross traffic takes half of the link, on and off',
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
        atMost: 2.2e6,
      },
      { what: 'rate without it', value: r => r.arrivedBps(75 * s, 90 * s), atLeast: 3e6 },
      { what: 'rate beside it again', value: r => r.arrivedBps(100 * s, 120 * s), atLeast: 1.6e6, atMost: 2.2e6 },
    ],
  );

  scenario(
    plugin,
    'the link is dead for 30 s',
    {
      durationMs: 120 * s,
      link: [
        { atMs: 0, rateBps: 3e6 },
        { atMs: 30 * s, rateBps: 0 },
        { atMs: 60 * s, rateBps: 3e6 },
      ],
    },
    [
      // the window is full: a packet every 500 ms asks whether the path is back
      {
        what: 'rate sent into it after 2 s: nothing acked, nothing else sent',
        value: r => r.sentBps(32 * s, 60 * s),
        atMost: 1200 * 8 * 2,
      },
      { what: 'utilisation half a minute after', value: r => r.utilisation(95 * s, 120 * s), atLeast: 0.85 },
    ],
  );

  scenario(
    plugin,
    'everything is lost for 2 s',
    {
      durationMs: 60 * s,
      link: [
        { atMs: 0, rateBps: 3e6 },
        { atMs: 20 * s, lossRatio: 1 },
        { atMs: 22 * s, lossRatio: 0 },
      ],
    },
    [{ what: 'utilisation from 8 s after it', value: r => r.utilisation(30 * s, 60 * s), atLeast: 0.6 }],
  );

  test(`${plugin.id}: no packet leaves while the congestion window is full, but for the one every 500 ms that asks for feedback`, () => {
    const watched = new Watched(plugin.create(plugin.params.parse({})));
    simulate({
      controller: watched,
      durationMs: 60 * s,
      feedbackLoss: [{ fromMs: 20 * s, toMs: 25 * s }],
      link: [
        { atMs: 0, rateBps: 3e6 },
        { atMs: 30 * s, rateBps: 500e3 },
        { atMs: 40 * s, rateBps: 0 },
        { atMs: 45 * s, rateBps: 3e6 },
      ],
    });
    assert.ok(watched.packets > 5000, `${watched.packets}`);
    assert.ok(watched.blockedPackets >= 10, `${watched.blockedPackets}: the window was full for more than 5 s`);
    assert.ok(watched.shortestGapMs >= 500, `${watched.shortestGapMs}`);
  });
}

/** Looks at every packet that leaves although the window is full. */
class Watched implements Controller {
  readonly #inner: Controller;
  #windowBytes = Infinity;
  #lastMs = 0;
  packets = 0;
  blockedPackets = 0;
  /** Shortest time between such a packet and the one before it. */
  shortestGapMs = Infinity;

  constructor(inner: Controller) {
    this.#inner = inner;
  }

  onConstraints(constraints: Constraints, nowMs: number): Decision {
    return this.#remember(this.#inner.onConstraints(constraints, nowMs));
  }

  onPacketSent(packet: SentPacket): Decision {
    this.packets++;
    if (packet.inFlightBytes - packet.sizeBytes >= this.#windowBytes) {
      this.blockedPackets++;
      this.shortestGapMs = Math.min(this.shortestGapMs, packet.sentMs - this.#lastMs);
    }
    this.#lastMs = packet.sentMs;
    return this.#remember(this.#inner.onPacketSent(packet));
  }

  onFeedback(feedback: Feedback): Decision {
    return this.#remember(this.#inner.onFeedback(feedback));
  }

  onTick(nowMs: number, queuedBytes?: number): Decision {
    return this.#remember(this.#inner.onTick(nowMs, queuedBytes));
  }

  trace() {
    return this.#inner.trace();
  }

  #remember(decision: Decision): Decision {
    this.#windowBytes = decision.congestionWindowBytes ?? this.#windowBytes;
    return decision;
  }
}

scenario(
  scream,
  'an encoder that makes 500 kbit/s on a link of 3 Mbit/s',
  { durationMs: 120 * s, link: 3e6, media: { maxBps: 500e3 } },
  [
    {
      what: 'highest target: twice what the encoder makes, a frame more or less in 200 ms',
      value: r => r.highestTarget(20 * s, 120 * s),
      atLeast: 0.9e6,
      atMost: 2 * 500e3 * 1.2,
    },
    { what: 'what is sent', value: r => r.arrivedBps(10 * s, 120 * s), atLeast: 450e3, atMost: 550e3 },
    { what: '95th percentile of the queue, ms', value: r => r.queueMs(95, 10 * s, 120 * s), atMost: 30 },
  ],
);

scenario(
  screamV2,
  'an encoder that makes 500 kbit/s on a link of 3 Mbit/s',
  { durationMs: 120 * s, link: 3e6, media: { maxBps: 500e3 } },
  [
    {
      what:
        'largest window, bytes: a segment and half as much again as is in flight, ' +
        "which is a round trip and a report's time of 600 kbit/s, and a frame",
      value: r => Math.max(...r.series('windowBytes', 20 * s, 120 * s).map(Number)),
      atMost: 1000 + 1.5 * ((600e3 / 8000) * (50 + 62) + 600e3 / 8 / 30),
    },
    { what: 'what is sent', value: r => r.arrivedBps(10 * s, 120 * s), atLeast: 450e3, atMost: 550e3 },
  ],
);
