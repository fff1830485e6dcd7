import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Controller, Decision, PacketResult } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/copa/index.ts';
import { near } from '../gcc/near.ts';

const constraints = { minBps: 100e3, startBps: 960e3, maxBps: 20e6 };

/**
 * A started controller. Packets of 1200 bytes leave every `gapMs`. They arrive after 25 ms and the queue delay. A
 * report on them every 60 ms takes 25 ms back.
 */
class Session {
  readonly controller: Controller;
  readonly first: Decision;
  nowMs = 0;
  #sequence = 0;

  constructor(params: Record<string, unknown> = {}, given = constraints) {
    this.controller = plugin.create(plugin.params.parse(params));
    this.first = this.controller.onConstraints(given, 0);
  }

  report({
    queueMs = 0,
    lost = () => false as boolean,
    gapMs = 10,
    inFlightBytes = 1e6,
  }: {
    queueMs?: number;
    lost?: (i: number) => boolean;
    gapMs?: number;
    inFlightBytes?: number;
  } = {}): Decision {
    const packets = Array.from({ length: 60 / gapMs }, (_, i): PacketResult => {
      const sentMs = this.nowMs + gapMs * i;
      const packet = { sequence: this.#sequence++, sentMs, sizeBytes: 1200, kind: 'media', inFlightBytes } as const;
      this.controller.onPacketSent(packet);
      return { ...packet, receivedMs: lost(i) ? null : 1e6 + sentMs + 25 + queueMs };
    });
    this.nowMs += 60;
    return this.controller.onFeedback({ arrivedMs: packets.at(-1)!.sentMs + 50 + queueMs, packets, inFlightBytes });
  }

  value(name: string): number {
    return Number(this.controller.trace()[name]);
  }

  get mode(): number | string | undefined {
    return this.controller.trace()['mode'];
  }

  /** Ends the slow start with a report that shows a queue. */
  settle(): this {
    this.report();
    this.report({ queueMs: 200 });
    assert.equal(this.mode, 'default');
    return this;
  }
}

test('it starts from the start rate, paced at twice that, without a limit of what may be in flight', () => {
  assert.deepEqual(new Session().first, { targetBps: 960e3, pacingBps: 1.92e6, congestionWindowBytes: Infinity });
});

test('slow start: the rate doubles once a loop, as long as no queue stands', () => {
  const session = new Session();
  const targets = Array.from({ length: 4 }, () => {
    session.report();
    return session.value('targetBps');
  });
  // packets wait for 50 to 100 ms: the loop is more than one interval of 60 ms and less than two
  assert.ok(session.value('loopMs') > 60 && session.value('loopMs') < 120);
  for (const [i, factor] of [2, 2, 4, 4].entries()) near(targets[i], factor * 960e3);
  assert.equal(session.mode, 'slow-start');
});

test('slow start ends where the rate is more than 1 packet in delta x queue delay', () => {
  const session = new Session();
  session.report();
  session.report({ queueMs: 200 });
  assert.equal(session.mode, 'default');
  near(session.value('queueTargetBps'), 9600 / (0.5 * 0.2));
});

test('above the rate that the queue allows the window falls, below it rises: 1 / (delta x window) for each packet, over the loop', () => {
  for (const [queueMs, sign] of [
    [20, -1],
    [1, 1],
  ] as const) {
    const session = new Session();
    // slow start without a queue to about 10 Mbit/s, or an immediate end
    for (let i = 0; i < (sign === -1 ? 5 : 1); i++) session.report();
    if (sign === 1) session.report({ queueMs: 200 });
    for (let i = 0; i < 3; i++) session.report({ queueMs });
    const [before, rttBefore] = [session.value('windowPackets'), session.value('standingRttMs')];
    session.report({ queueMs });
    const [after, rttMs, loopMs, velocity] = [
      session.value('windowPackets'),
      session.value('standingRttMs'),
      session.value('loopMs'),
      session.value('velocityGain'),
    ];
    assert.equal(rttMs, rttBefore);
    near(after - before, (((sign * velocity * 6) / (0.5 * before)) * rttMs) / loopMs);
  }
});

test('the target is window / standing round trip', () => {
  const session = new Session().settle();
  session.report({ queueMs: 30 });
  near(session.value('targetBps'), ((session.value('windowPackets') * 9600) / session.value('standingRttMs')) * 1000);
});

test('a window that is not used does not grow', () => {
  for (const [inFlightBytes, grows] of [
    [100, false],
    [1e6, true],
  ] as const) {
    const session = new Session().settle();
    session.report({ inFlightBytes });
    const before = session.value('windowPackets');
    for (let i = 0; i < 10; i++) session.report({ inFlightBytes });
    assert.equal(session.value('windowPackets') > before, grows);
  }
  const unused = new Session();
  for (let i = 0; i < 10; i++) unused.report({ inFlightBytes: 100 });
  // only the second report has an in-flight limit
  assert.ok(unused.value('targetBps') <= 2 * 960e3, `${unused.value('targetBps')}`);
});

test("what may be in flight: the rate over the longest loop and a frame's time, two packets at least", () => {
  const session = new Session();
  session.report();
  // 960 kbit/s doubled; the oldest packet of the report waited for 100 ms
  near(session.value('targetBps'), 1.92e6);
  const { congestionWindowBytes } = new Session(
    {},
    { ...constraints, startBps: 30e3, minBps: 30e3, maxBps: 60e3 },
  ).report();
  assert.equal(congestionWindowBytes, 2400);
  near(new Session({}, { ...constraints, maxBps: 960e3 }).report().congestionWindowBytes, (960e3 / 8000) * (100 + 40));
});

test("a queue that never empties is another's: delta falls, and losses raise it", () => {
  const session = new Session().settle();
  for (let i = 0; i < 40; i++) session.report({ queueMs: 150 + (i % 3) });
  assert.equal(session.mode, 'competitive');
  const before = session.value('inverseDeltaPackets');
  assert.ok(before > 3, `${before}`);
  session.report({ queueMs: 150, lost: i => i === 0 });
  near(session.value('inverseDeltaPackets'), before / 2);
  for (let i = 0; i < 3; i++) session.report();
  assert.deepEqual([session.mode, session.value('inverseDeltaPackets')], ['default', 2]);
});

test('in slow start nobody is competed with', () => {
  // the queue is never empty again, but too short to end the slow start of media of at most 2 Mbit/s
  const session = new Session({}, { ...constraints, maxBps: 2e6 });
  session.report();
  for (let i = 0; i < 20; i++) session.report({ queueMs: 2 });
  assert.deepEqual([session.mode, session.value('inverseDeltaPackets')], ['slow-start', 2]);
});

test('heavy losses take 30 % of the window, where that is wanted', () => {
  for (const [heavyLoss, factor] of [
    ['reduce', 0.7],
    ['ignore', 1],
  ] as const) {
    const session = new Session({ heavyLoss, competitive: 'off' }).settle();
    for (let i = 0; i < 8; i++) session.report({ gapMs: 5 });
    const windows = Array.from({ length: 12 }, () => {
      session.report({ gapMs: 5, lost: i => i % 2 === 0, inFlightBytes: 100 });
      return session.value('windowPackets');
    });
    const falls = windows.slice(1).map((window, i) => window / windows[i]!);
    near(Math.min(...falls), factor);
    near(Math.max(...falls), 1);
  }
});

test('silence halves the rate', () => {
  const session = new Session({}, { ...constraints, minBps: 10e3 }).settle();
  const before = session.value('targetBps');
  const { controller } = session;
  const silentMs = session.nowMs + 10e3;
  near(controller.onTick(silentMs).targetBps, before / 2);
  near(controller.onTick(silentMs + 10e3).targetBps, before / 4);
});

test('bounds are kept at once, the window with them', () => {
  const session = new Session().settle();
  assert.equal(session.controller.onConstraints({ ...constraints, maxBps: 300e3 }, 0).targetBps, 300e3);
  near(session.value('windowPackets'), (300e3 * session.value('standingRttMs')) / 1000 / 9600);
  assert.equal(session.controller.onConstraints({ ...constraints, minBps: 400e3 }, 0).targetBps, 400e3);
});

test('reports of losses alone before the first arrival, and empty ones, change nothing', () => {
  const session = new Session();
  assert.deepEqual(session.report({ lost: () => true }), {});
  assert.deepEqual(session.controller.onFeedback({ arrivedMs: 10, packets: [], inFlightBytes: 0 }), {});
});
