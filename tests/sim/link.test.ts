/** The simulation itself, with controllers that only say what they are told to say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventQueue } from '../../harness/virtual/event-queue.ts';
import { type Fate, Link } from '../../harness/virtual/link.ts';
import { clockOffsetMs } from '../../harness/virtual/receiver.ts';
import { Tap } from '../../harness/virtual/tap.ts';
import { Way } from '../../harness/virtual/way.ts';
import type { Controller, Decision, Feedback, SentPacket } from '../../server/congestion/controller.ts';
import { simulate } from './simulation.ts';

/** Decides once, at the start; remembers what it is told. */
class Fixed implements Controller {
  readonly sent: SentPacket[] = [];
  readonly feedback: Feedback[] = [];
  readonly #decision: Decision;

  constructor(decision: Decision) {
    this.#decision = decision;
  }

  onConstraints(): Decision {
    return this.#decision;
  }

  onPacketSent(packet: SentPacket): Decision {
    this.sent.push(packet);
    return {};
  }

  onFeedback(feedback: Feedback): Decision {
    this.feedback.push(feedback);
    return {};
  }

  onTick(): Decision {
    return {};
  }

  trace() {
    return {};
  }
}

function arrival(link: Link, sizeBytes: number, nowMs: number): number | string {
  const fate = link.fateOf(sizeBytes, nowMs);
  return fate.kind === 'arrives' ? fate.atMs : fate.kind;
}

test('events run in order of time, and of making', () => {
  const events = new EventQueue();
  const seen: string[] = [];
  events.at(20, nowMs => seen.push(`late ${nowMs}`));
  for (const name of ['a', 'b', 'c']) events.at(10, () => seen.push(name));
  events.every(8, 4, nowMs => seen.push(`${nowMs}`));
  events.runUntil(20);
  assert.deepEqual(seen, ['4', 'a', 'b', 'c', '12', 'late 20', '20']);
});

test('what leaves a link of a row meets the next one then, beside packets that cross only that', () => {
  const events = new EventQueue();
  const bins = { originMs: 0, binMs: 100, bins: 1 };
  // 1000 bytes take 8 ms at 1 Mbit/s and 16 ms at half of it
  const links = [1e6, 0.5e6].map(
    rateBps => new Link({ steps: [{ atMs: 0, rateBps }], queueBytes: 2500, oneWayMs: 0, seed: 1 }),
  );
  const taps = links.map(link => new Tap(link, bins));
  const fates: [string, Fate][] = [];
  const told = (name: string) => (fate: Fate) => void fates.push([name, fate]);
  const both = new Way(events, taps, 10);
  const second = new Way(events, [new Tap(links[1]!, bins)], 10);
  events.at(0, nowMs => both.send(1000, nowMs, told('both')));
  events.at(4, nowMs => second.send(1000, nowMs, told('second')));
  events.at(7, nowMs => second.send(1000, nowMs, told('second')));
  events.runUntil(100);
  assert.deepEqual(fates, [
    ['second', { kind: 'arrives', atMs: 30, queueMs: 16 }],
    ['second', { kind: 'arrives', atMs: 46, queueMs: 29 }],
    ['both', { kind: 'dropped' }], // it comes at 8 ms, when two packets are there
  ]);
  assert.deepEqual(
    taps.map(({ sentPackets, droppedPackets }) => [...sentPackets, ...droppedPackets]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  events.at(100, nowMs => both.send(1000, nowMs, told('later')));
  events.runUntil(200);
  assert.deepEqual(fates.at(-1), ['later', { kind: 'arrives', atMs: 134, queueMs: 24 }]);
});

test('a packet of a row is marked if one of its links marks it', () => {
  const events = new EventQueue();
  const marking = (isMarked: boolean | undefined) => ({
    fateOf: (_: number, nowMs: number): Fate => ({
      kind: 'arrives',
      atMs: nowMs + 5,
      queueMs: 5,
      ...(isMarked === undefined ? {} : { isMarked: () => isMarked }),
    }),
  });
  const marks = [
    [undefined, undefined],
    [false, undefined],
    [true, false],
    [false, true],
    [false, false],
  ].map(of => {
    const marked: (boolean | undefined)[] = [];
    new Way(events, of.map(marking), 0).send(1000, 0, fate =>
      marked.push(fate.kind === 'arrives' ? fate.isMarked?.() : undefined),
    );
    events.runUntil(100);
    return marked;
  });
  assert.deepEqual(marks, [[undefined], [false], [true], [true], [false]]);
});

test('a link sends one packet after the other and drops what its queue does not hold', () => {
  // 1 Mbit/s: 1000 bytes take 8 ms.
  const link = new Link({ steps: [{ atMs: 0, rateBps: 1e6 }], queueBytes: 2500, oneWayMs: 10, seed: 1 });
  assert.deepEqual(
    [0, 0, 0].map(nowMs => arrival(link, 1000, nowMs)),
    [18, 26, 'dropped'],
  );
  assert.equal(arrival(link, 1000, 8), 34);
  assert.equal(arrival(link, 1000, 100), 118);
});

test('a packet that meets a step goes on at the new rate, and waits while there is none', () => {
  const steps = [
    { atMs: 0, rateBps: 1e6 },
    { atMs: 4, rateBps: 0 },
    { atMs: 10, rateBps: 4e6 },
    { atMs: 50, rateBps: 0 },
  ];
  const link = new Link({ steps, queueBytes: 1e6, oneWayMs: 0, seed: 1 });
  // 4000 bits in 4 ms, the other 4000 in 1 ms from 10 on.
  assert.equal(arrival(link, 1000, 0), 11);
  assert.equal(arrival(link, 1000, 60), Infinity);
  assert.equal(link.capacityBits(0, 100), 4000 + 160e3);
});

test('losses come at the ratio asked for', () => {
  const link = new Link({ steps: [{ atMs: 0, rateBps: 1e9, lossRatio: 0.1 }], queueBytes: 1e9, oneWayMs: 0, seed: 1 });
  const lost = Array.from({ length: 10000 }, (_, i) => arrival(link, 100, i)).filter(fate => fate === 'lost').length;
  assert.ok(Math.abs(lost - 1000) < 4 * Math.sqrt(900), `${lost}`);
});

test('the encoder follows the target, the pacer the pacing rate', () => {
  const equal = simulate({ controller: new Fixed({ targetBps: 1e6, pacingBps: 1.1e6 }), durationMs: 20e3, link: 5e6 });
  assert.ok(Math.abs(equal.sentBps(1e3, 20e3) / 1e6 - 1) < 0.03);
  const paced = simulate({ controller: new Fixed({ targetBps: 2e6, pacingBps: 1e6 }), durationMs: 20e3, link: 5e6 });
  assert.ok(Math.abs(paced.sentBps(1e3, 20e3) / 1e6 - 1) < 0.01);
});

test('padding fills what the media leaves', () => {
  const recording = simulate({
    controller: new Fixed({ targetBps: 500e3, pacingBps: 3e6, paddingBps: 2e6 }),
    durationMs: 20e3,
    link: 5e6,
  });
  assert.ok(Math.abs(recording.sentBps(1e3, 20e3) / 2e6 - 1) < 0.03, `${recording.sentBps(1e3, 20e3)}`);
});

test('a probe leaves at its rate, tagged, with padding where media is short', () => {
  const controller = new Fixed({
    targetBps: 300e3,
    pacingBps: 330e3,
    probes: [{ id: 7, rateBps: 3e6, minPackets: 5, minBytes: 5625 }],
  });
  simulate({ controller, durationMs: 1000, link: 5e6 });
  const probe = controller.sent.filter(packet => packet.probe === 7);
  const bytes = probe.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  assert.ok(probe.length >= 5 && bytes >= 5625 && bytes < 5625 + 2400);
  const spanMs = probe.at(-1)!.sentMs - probe[0]!.sentMs;
  const rateBps = ((bytes - probe.at(-1)!.sizeBytes) * 8000) / spanMs;
  assert.ok(Math.abs(rateBps / 3e6 - 1) < 0.2, `${rateBps}`);
});

test('a full congestion window stops all but a packet every 500 ms', () => {
  const controller = new Fixed({ targetBps: 1e6, pacingBps: 1.1e6, congestionWindowBytes: 3000 });
  simulate({
    controller,
    durationMs: 10e3,
    link: [
      { atMs: 0, rateBps: 1e6 },
      { atMs: 5e3, rateBps: 0 },
    ],
  });
  assert.ok(
    Math.max(...controller.sent.filter(({ sentMs }) => sentMs < 5e3).map(({ inFlightBytes }) => inFlightBytes)) <
      3000 + 1200,
  );
  assert.equal(controller.sent.filter(({ sentMs }) => sentMs > 6e3).length, 8);
});

test('reports come every 62 ms, complete, in steps of 0.25 ms of another clock', () => {
  const controller = new Fixed({ targetBps: 1e6, pacingBps: 1.1e6 });
  const recording = simulate({
    controller,
    durationMs: 10e3,
    link: [{ atMs: 0, rateBps: 2e6, lossRatio: 0.1 }],
    oneWayMs: 30,
    returnMs: 20,
  });
  const results = controller.feedback.flatMap(({ packets }) => packets);
  assert.deepEqual(
    results.map(({ sequence }) => sequence),
    results.map((_, index) => index),
  );
  for (const { sequence, receivedMs } of results) {
    const { arrivedMs } = recording.packets[sequence]!;
    if (arrivedMs === undefined) assert.equal(receivedMs, null);
    else assert.equal(receivedMs, Math.floor(arrivedMs * 4) / 4 + clockOffsetMs);
  }
  assert.ok(
    controller.feedback.every(
      ({ arrivedMs }) => Math.abs((arrivedMs - 20) % 62) < 1e-6 || Math.abs(((arrivedMs - 20) % 62) - 62) < 1e-6,
    ),
  );
  const gaps = controller.feedback.slice(1).map(({ arrivedMs }, i) => arrivedMs - controller.feedback[i]!.arrivedMs);
  assert.ok(Math.max(...gaps) < 63);
  assert.ok(controller.feedback.at(-1)!.inFlightBytes < (1e6 / 8) * 0.2);
  assert.ok(controller.feedback.slice(1).every(({ rttMs }) => rttMs! >= 50 && rttMs! < 150));
});

test('feedback can be lost, and media can pause', () => {
  const controller = new Fixed({ targetBps: 1e6, pacingBps: 1.1e6 });
  simulate({
    controller,
    durationMs: 10e3,
    link: 2e6,
    feedbackLoss: [{ fromMs: 2e3, toMs: 4e3 }],
    media: { pauses: [{ fromMs: 6e3, toMs: 8e3 }] },
  });
  assert.ok(!controller.feedback.some(({ arrivedMs }) => arrivedMs > 2050 && arrivedMs < 4020));
  assert.ok(!controller.sent.some(({ sentMs }) => sentMs > 6100 && sentMs < 8000));
});

test('a TCP flow alone fills the link; two share it; one makes way for constant traffic', () => {
  const idle = () => new Fixed({ targetBps: 1, pacingBps: 1e3 });
  const alone = simulate({ controller: idle(), durationMs: 60e3, link: 4e6, tcp: [{ fromMs: 0, toMs: 60e3 }] });
  assert.ok((alone.tcpBytes[0]! * 8) / 60 / 4e6 > 0.93, `${alone.tcpBytes}`);
  const two = simulate({
    controller: idle(),
    durationMs: 120e3,
    link: 4e6,
    tcp: [
      { fromMs: 0, toMs: 120e3 },
      { fromMs: 0, toMs: 120e3 },
    ],
  });
  assert.ok(
    two.tcpBytes.every(bytes => (bytes * 8) / 120 > 1e6),
    `${two.tcpBytes}`,
  );
  const always = { fromMs: 0, toMs: 60e3 };
  const beside = simulate({
    controller: idle(),
    durationMs: 60e3,
    link: 4e6,
    tcp: [always],
    cross: [{ rateBps: 3e6, on: [always] }],
  });
  assert.ok((beside.tcpBytes[0]! * 8) / 60 < 1.3e6 && (beside.tcpBytes[0]! * 8) / 60 > 0.5e6, `${beside.tcpBytes}`);
});
