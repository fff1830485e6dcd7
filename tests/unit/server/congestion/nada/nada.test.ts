import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EcnField } from '../../../../../core/vocabulary/ecn.ts';
import type { Controller, Decision, PacketResult } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/nada/index.ts';
import { near } from '../gcc/near.ts';

const constraints = { minBps: 100e3, startBps: 500e3, maxBps: 2e6 };

/** A started controller. Packets of 1000 bytes leave every 10 ms, with a report every 100 ms: 800 kbit/s. */
class Session {
  readonly controller: Controller;
  readonly first: Decision;
  nowMs = 0;
  #sequence = 0;

  constructor(params: Record<string, unknown> = {}) {
    this.controller = plugin.create(plugin.params.parse(params));
    this.first = this.controller.onConstraints(constraints, 0);
  }

  /**
   * Sends and reports the packets of the next 100 ms. Each arrives after 20 ms + `queueMs` on a clock 1000 s ahead, or
   * is lost.
   */
  report({
    ecn,
    queueMs = 0,
    lost = () => false as boolean,
    rttMs = 30,
    delayOf = () => queueMs,
  }: {
    ecn?: EcnField;
    queueMs?: number;
    lost?: (i: number) => boolean;
    rttMs?: number | null;
    delayOf?: (i: number) => number;
  } = {}): Decision {
    const packets = Array.from({ length: 10 }, (_, i): PacketResult => {
      const sentMs = this.nowMs + 10 * i;
      const packet = {
        sequence: this.#sequence++,
        sentMs,
        sizeBytes: 1000,
        kind: 'media',
        inFlightBytes: 1000 * (i + 1),
      } as const;
      this.controller.onPacketSent(packet);
      return {
        ...packet,
        receivedMs: lost(i) ? null : 1e6 + sentMs + 20 + delayOf(i),
        ...(ecn === undefined ? {} : { ecn }),
      };
    });
    this.nowMs += 100;
    return this.controller.onFeedback({
      arrivedMs: this.nowMs,
      packets,
      inFlightBytes: 0,
      ...(rttMs === null ? {} : { rttMs }),
    });
  }

  reports(count: number, options: Parameters<Session['report']>[0] = {}): void {
    for (let i = 0; i < count; i++) this.report(options);
  }

  get trace(): Record<string, number | string> {
    return this.controller.trace();
  }
}

test('it starts from the start rate, and is paced at it', () => {
  assert.deepEqual(new Session().first, { targetBps: 500e3, pacingBps: 500e3 });
});

test('what waits in the pacer takes from the encoder and gives to the pacer', () => {
  const { controller } = new Session();
  assert.deepEqual(controller.onTick(25, 1000), { targetBps: 476e3, pacingBps: 524e3 });
  assert.deepEqual(controller.onTick(50, 1000), {});
  assert.equal(controller.trace()['referenceBps'], 500e3);
  assert.deepEqual(controller.onTick(75), { targetBps: 500e3, pacingBps: 500e3 });
});

test('on a free link the rate follows what arrives: x 1.2 at a round trip of 30 ms', () => {
  const session = new Session();
  session.reports(10);
  assert.equal(session.trace['mode'], 'ramp-up');
  near(Number(session.trace['ackedBps']), 800e3);
  near(Number(session.trace['targetBps']), 960e3);
});

test('a queue ends the ramp-up, and the rate goes by equation 7', () => {
  const session = new Session();
  session.reports(10);
  session.report({ queueMs: 12 });
  // the filter holds 15 samples, of which five are from the previous report
  assert.equal(session.trace['queueDelayMs'], 0);
  assert.equal(session.trace['mode'], 'ramp-up');
  const decision = session.report({ queueMs: 12 });
  assert.equal(session.trace['queueDelayMs'], 12);
  assert.equal(session.trace['mode'], 'gradual');
  const offsetMs = 12 - (10 * 2e6) / 960e3;
  near(decision.targetBps, 960e3 * (1 - (0.5 * 0.2 * offsetMs) / 500 - (0.5 * 2 * 12) / 500));
});

test('by raw delays one late packet is enough, by filtered ones it is not', () => {
  for (const [clearDelayOf, mode] of [
    ['raw', 'gradual'],
    ['filtered', 'ramp-up'],
  ]) {
    const session = new Session({ clearDelayOf });
    session.reports(10);
    session.report({ delayOf: i => (i === 4 ? 30 : 0) });
    assert.equal(session.trace['mode'], mode);
  }
});

test('a loss ends the ramp-up for as long as it is in the window of 500 ms', () => {
  const session = new Session();
  session.reports(10);
  session.report({ lost: i => i === 9 });
  const modes = Array.from({ length: 6 }, () => {
    session.report();
    return session.trace['mode'];
  });
  // the packet left 10 ms before the end of its report's time: the fifth report after it is 500 ms later
  assert.deepEqual(modes, ['gradual', 'gradual', 'gradual', 'gradual', 'ramp-up', 'ramp-up']);
});

test('half of all packets lost takes the rate to the equilibrium of a signal of 500 ms', () => {
  const session = new Session();
  session.reports(10);
  session.reports(100, { lost: i => i % 2 === 0 });
  assert.equal(session.trace['signalMs'], 500);
  // 10 ms x 2 Mbit/s / 500 ms = 40 kbit/s is below the minimum
  assert.equal(session.trace['targetBps'], 100e3);
});

test('warping ends eight average loss intervals after a loss, to the letter of RFC 5348 never', () => {
  for (const [lossInterval, warps] of [
    ['closed', false],
    ['tfrc', true],
  ] as const) {
    const session = new Session({ lossInterval });
    session.report({ lost: i => i === 9 });
    session.reports(9, { queueMs: 100 }); // 90 packets, an interval has 10
    assert.equal(session.trace['queueDelayMs'], 100);
    assert.equal(Number(session.trace['warpedDelayMs']) < 100, warps, lossInterval);
  }
});

test('Congestion Experienced counts, other marks do not', () => {
  for (const [ecn, markRatio] of [
    ['ce', 0.1],
    ['ect1', 0],
    ['ect0', 0],
    ['not-ect', 0],
    [undefined, 0],
  ] as const) {
    const session = new Session();
    session.report();
    session.report(ecn === undefined ? {} : { ecn });
    // half of the window of two reports is marked, with a smoothing weight of a tenth
    near(Number(session.trace['markRatio']), markRatio / 2, ecn);
  }
});

test('reports that come more often than the update interval are taken together', () => {
  const session = new Session({ updateInterval: '250ms' });
  session.reports(10);
  const before = session.trace['targetBps'];
  const decisions = [1, 2, 3, 4, 5, 6].map(() => session.report({ queueMs: 100 }));
  // the last of the ten reports caused an update
  assert.deepEqual(
    decisions.map(({ targetBps }) => targetBps !== undefined),
    [false, false, true, false, false, true],
  );
  assert.ok(Number(session.trace['targetBps']) < Number(before));
});

test("without RTCP's round trip that of the fastest packet counts", () => {
  const session = new Session();
  session.report({ rttMs: null });
  assert.equal(session.trace['rttMs'], 10); // the last packet left 10 ms before the report
  session.report({ rttMs: 55 });
  assert.equal(session.trace['rttMs'], 55);
});

test('silence halves the rate every four round trips, as long as packets are under way', () => {
  const session = new Session();
  session.reports(10, { rttMs: 200 });
  const before = Number(session.trace['targetBps']);
  const { controller, nowMs } = session;
  assert.deepEqual(controller.onTick(nowMs + 60e3), {});
  controller.onPacketSent({
    sequence: 1000,
    sentMs: nowMs + 60e3,
    sizeBytes: 1000,
    kind: 'media',
    inFlightBytes: 1000,
  });
  assert.deepEqual(controller.onTick(nowMs + 60_799), {});
  near(controller.onTick(nowMs + 60_800).targetBps, before / 2);
  assert.deepEqual(controller.onTick(nowMs + 60_825), {});
  near(controller.onTick(nowMs + 61_600).targetBps, before / 4);
});

test('new bounds are kept at once', () => {
  const session = new Session();
  session.reports(10);
  assert.equal(session.controller.onConstraints({ ...constraints, maxBps: 300e3 }, session.nowMs).targetBps, 300e3);
  assert.equal(session.controller.onConstraints({ ...constraints, minBps: 400e3 }, session.nowMs).targetBps, 400e3);
  assert.deepEqual(session.controller.onConstraints({ ...constraints, minBps: 400e3 }, session.nowMs), {});
});

test('feedback without packets changes nothing', () => {
  const session = new Session();
  assert.deepEqual(session.controller.onFeedback({ arrivedMs: 10, packets: [], inFlightBytes: 0 }), {});
});
