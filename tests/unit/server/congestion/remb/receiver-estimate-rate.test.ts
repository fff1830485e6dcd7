import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/remb/index.ts';

const constraints = { minBps: 100e3, startBps: 1e6, maxBps: 8e6 };

/** A started controller, its first decision, and a function that passes estimates to it. */
function start(params: Record<string, unknown> = {}, given = constraints) {
  const controller = plugin.create(plugin.params.parse(params));
  const first = controller.onConstraints(given, 0);
  const hear = (receiverEstimateBps: number): Decision =>
    controller.onFeedback({ arrivedMs: 100, packets: [], inFlightBytes: 0, receiverEstimateBps });
  return { controller, first, hear };
}

test('it starts from the start rate, paced at 2.5 x it', () => {
  assert.deepEqual(start().first, { targetBps: 1e6, pacingBps: 2.5e6 });
});

test('the estimate is the rate, between 500 kbit/s and 3 Mbit/s', () => {
  const { controller, hear } = start();
  assert.deepEqual(hear(2e6), { targetBps: 2e6, pacingBps: 5e6 });
  assert.equal(hear(9e6).targetBps, 3e6);
  assert.equal(hear(0).targetBps, 500e3);
  assert.deepEqual(controller.trace(), { targetBps: 500e3, pacingBps: 1.25e6, receiverEstimateBps: 0 });
});

test("the bounds can be set; the stream's hold as well, at the start, too", () => {
  const bounds = { minRate: '200kbit', maxRate: '6mbit' };
  const { hear } = start(bounds);
  assert.equal(hear(9e6).targetBps, 6e6);
  assert.equal(hear(1).targetBps, 200e3);
  assert.equal(start({}, { ...constraints, startBps: 50e3 }).first.targetBps, 500e3);
  assert.equal(start(bounds, { minBps: 300e3, startBps: 250e3, maxBps: 4e6 }).first.targetBps, 300e3);
  assert.equal(start(bounds, { minBps: 300e3, startBps: 1e6, maxBps: 4e6 }).hear(9e6).targetBps, 4e6);
  assert.equal(start({}, { minBps: 100e3, startBps: 300e3, maxBps: 400e3 }).first.targetBps, 400e3);
  assert.equal(start({}, { minBps: 4e6, startBps: 4e6, maxBps: 5e6 }).hear(1e6).targetBps, undefined);
  assert.equal(plugin.params.safeParse({ minRate: '3mbit', maxRate: '2mbit' }).success, false);
});

test('a change of 10 % or less is not followed, and the present rate is what counts', () => {
  const { controller, hear } = start();
  assert.deepEqual(hear(1.1e6), {});
  assert.deepEqual(hear(0.9e6), {});
  assert.equal(controller.trace()['receiverEstimateBps'], 0.9e6);
  assert.equal(hear(1.11e6).targetBps, 1.11e6);
  assert.deepEqual(hear(1.2e6), {});
  assert.equal(hear(1.23e6).targetBps, 1.23e6);
});

test('new bounds of the stream are followed at once', () => {
  const { controller, hear } = start();
  hear(2e6);
  assert.equal(controller.onConstraints({ ...constraints, maxBps: 1.5e6 }, 200).targetBps, 1.5e6);
  assert.equal(controller.onConstraints({ ...constraints, minBps: 2e6 }, 300).targetBps, 2e6);
});

test('nothing but an estimate changes anything', () => {
  const { controller } = start();
  const packet = { sequence: 0, sentMs: 0, sizeBytes: 1000, kind: 'media', inFlightBytes: 1000 } as const;
  assert.deepEqual(controller.onPacketSent(packet), {});
  assert.deepEqual(
    controller.onFeedback({ arrivedMs: 10, packets: [{ ...packet, receivedMs: null }], inFlightBytes: 0, rttMs: 500 }),
    {},
  );
  assert.deepEqual(controller.onTick(60e3), {});
});
