import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EcnField } from '../../../../../core/vocabulary/ecn.ts';
import type { Controller, Decision, PacketResult, SentPacket } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/gcc/index.ts';
import { near } from './near.ts';

const constraints = { minBps: 30e3, startBps: 300e3, maxBps: 2e6 };

function create(params: Record<string, unknown> = {}): Controller {
  return plugin.create(plugin.params.parse(params));
}

/** A started controller that sends packets of 1000 bytes and gets reports on all of them. */
class Session {
  readonly controller: Controller;
  readonly first: Decision;
  #unreported: SentPacket[] = [];
  #sequence = 0;

  constructor(params: Record<string, unknown> = {}) {
    this.controller = create(params);
    this.first = this.controller.onConstraints(constraints, 0);
  }

  send(sentMs: number, probe?: number): Decision {
    const inFlightBytes = 1000 * (this.#unreported.length + 1);
    const packet: SentPacket = {
      sequence: this.#sequence++,
      sentMs,
      sizeBytes: 1000,
      kind: 'media',
      inFlightBytes,
      ...(probe === undefined ? {} : { probe }),
    };
    this.#unreported.push(packet);
    return this.controller.onPacketSent(packet);
  }

  /** Reports all packets as received `delayMs` after they were sent, on a clock 1000 s ahead. */
  report(arrivedMs: number, delayMs: number, options: { rttMs?: number; ecn?: EcnField } = {}): Decision {
    const packets = this.#unreported.map(
      (packet): PacketResult => ({
        ...packet,
        receivedMs: packet.sentMs + 1e6 + delayMs,
        ...(options.ecn === undefined ? {} : { ecn: options.ecn }),
      }),
    );
    this.#unreported = [];
    return this.controller.onFeedback({
      arrivedMs,
      packets,
      inFlightBytes: 0,
      ...(options.rttMs === undefined ? {} : { rttMs: options.rttMs }),
    });
  }
}

test('the start: start rate, pacing at 2.5 x it, probes at 3 x and 6 x', () => {
  const { first } = new Session();
  assert.equal(first.targetBps, 300e3);
  assert.equal(first.pacingBps, 750e3);
  assert.equal(first.paddingBps, 0);
  assert.deepEqual(
    first.probes?.map(({ rateBps }) => rateBps),
    [900e3, 1.8e6],
  );
});

test('pacing falls to 1.1 x the rate with the first feedback', () => {
  const session = new Session();
  session.send(10);
  const decision = session.report(70, 25);
  assert.equal(decision.pacingBps, Math.round(Number(session.controller.trace()['estimateBps']) * 1.1));
});

test("a probe's result is the target at once and leads to the next probe", () => {
  const session = new Session();
  const [, second] = session.first.probes!;
  // 1000 bytes every 4 ms = 2 Mbit/s.
  for (let i = 0; i < 6; i++) session.send(10 + 4 * i, second!.id);
  const decision = session.report(90, 25);
  assert.equal(decision.targetBps, 2e6);
  assert.deepEqual(decision.probed?.at(-1), { id: second!.id, rateBps: 2e6 }, 'for the record');
  assert.deepEqual(
    decision.probes?.map(({ rateBps }) => rateBps),
    [4e6],
    'twice the result, which is twice what the media can use',
  );
});

test('a probe that found little takes the rate down to 85 % of the acked bitrate at most', () => {
  const session = new Session();
  const [, second] = session.first.probes!;
  // 1000 bytes every 4 ms, all acked: 2 Mbit/s, and the estimate follows.
  for (let i = 0; i < 30; i++) session.send(10 + 4 * i, i < 6 ? second!.id : undefined);
  session.report(200, 25);
  assert.equal(session.controller.trace()['ackedBps'], 2e6);
  // The other cluster arrives like on a link of 800 kbit/s.
  const [first] = session.first.probes!;
  for (let i = 0; i < 6; i++) session.send(210 + 10 * i, first!.id);
  session.report(300, 25);
  const { delayBasedBps, ackedBps } = session.controller.trace();
  assert.ok(Math.abs(Number(delayBasedBps) - 0.85 * Number(ackedBps)) < 1, `${delayBasedBps} of ${ackedBps}`);
});

test('the longest feedback round trip of a report sizes the window', () => {
  const session = new Session();
  session.send(0);
  session.send(90);
  session.report(100, 5);
  // 300 kbit/s x (100 + 350) ms, with the rate published at this feedback.
  const { estimateBps, windowBytes } = session.controller.trace();
  assert.ok(Math.abs(Number(windowBytes) - (Number(estimateBps) / 8) * 0.45) < 1);
});

test('the target is never above what the media can use, while the estimate may be', () => {
  const session = new Session();
  const [, second] = session.first.probes!;
  for (let i = 0; i < 9; i++) session.send(10 + 2 * i, second!.id);
  const decision = session.report(90, 25);
  assert.equal(decision.targetBps, 2e6);
  assert.equal(session.controller.trace()['estimateBps'], 4e6);
});

test('with less to use the target falls at once; with more there are probes', () => {
  const session = new Session();
  session.send(10);
  session.report(70, 25);
  session.controller.onTick(2000);
  assert.equal(session.controller.onConstraints({ ...constraints, maxBps: 200e3 }, 2000).targetBps, 200e3);
  const more = session.controller.onConstraints({ ...constraints, maxBps: 3e6 }, 2100);
  assert.ok(more.targetBps! >= 300e3);
  assert.equal(more.probes?.length, 1);
});

test('a higher minimum lifts the target', () => {
  const session = new Session();
  assert.equal(session.controller.onConstraints({ ...constraints, minBps: 500e3 }, 10).targetBps, 500e3);
});

test('the round trip: 200 ms until RTCP tells of one', () => {
  const session = new Session();
  const rtt = () => session.controller.trace()['rttMs'];
  assert.equal(rtt(), 200);
  session.send(10);
  session.report(100, 25);
  assert.equal(rtt(), 200);
  session.send(110);
  session.report(200, 25, { rttMs: 55 });
  assert.equal(rtt(), 55);
  session.send(210);
  session.report(500, 25);
  assert.equal(rtt(), 55);
});

test('times are rounded down to 1 ms with transport-wide feedback and left alone with that of RFC 8888, or as is asked', () => {
  const [whole, exact] = [100 - 10, 100 - 10.75];
  for (const [params, ecn, expected] of [
    [{}, undefined, whole],
    [{}, 'not-ect', exact],
    [{ timestampResolution: '1ms' }, 'not-ect', whole],
    [{ timestampResolution: '0ms' }, undefined, exact],
  ] as const) {
    const session = new Session(params);
    session.send(10.75);
    session.report(100, 25, ecn === undefined ? {} : { ecn });
    // the window holds the bytes that the rate carries in the round trip and in the accepted queue delay
    const { windowBytes, estimateBps } = session.controller.trace();
    near(Number(windowBytes), (Number(estimateBps) / 8000) * (expected + 350));
  }
});

test('probing can be switched off', () => {
  const session = new Session({ probing: 'off' });
  assert.equal(session.first.probes, undefined);
});

test('a full window asks for dropped frames, or lowers the target, or does nothing', () => {
  for (const pushback of ['drop-frames', 'lower-target', 'off']) {
    const session = new Session({ pushback });
    session.send(10);
    session.report(70, 25);
    session.controller.onTick(75);
    const before = Number(session.controller.trace()['targetBps']);
    // The window holds 300 kbit/s x (60 + 350) ms = 15 packets.
    const ratios = Array.from({ length: 40 }, (_, i) => session.send(80 + i)).flatMap(
      ({ frameDropRatio }) => frameDropRatio ?? [],
    );
    const trace = session.controller.trace();
    assert.equal(Number(trace['pushbackRatio']) < 0.5, pushback !== 'off', pushback);
    assert.equal(
      ratios.length > 0 && Math.abs(ratios.at(-1)! - (1 - Number(trace['pushbackRatio']))) < 1e-9,
      pushback === 'drop-frames',
      ratios.join(' '),
    );
    assert.equal(Number(trace['targetBps']) < 0.5 * before, pushback === 'lower-target', pushback);
    assert.ok(Number(trace['pacingBps']) >= before, 'pacing goes by the rate before pushback');
  }
});

test('a decision names only what has changed', () => {
  const session = new Session();
  session.controller.onTick(25);
  assert.deepEqual(session.controller.onTick(50), {});
});

test('feedback without packets changes nothing', () => {
  const session = new Session();
  assert.deepEqual(session.controller.onFeedback({ arrivedMs: 10, packets: [], inFlightBytes: 0 }), {});
});
