import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PacketResult } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/fixed/index.ts';

const constraints = { minBps: 100e3, startBps: 300e3, maxBps: 2e6 };
const create = (params: Record<string, unknown> = {}) => plugin.create(plugin.params.parse(params));
const packet = (sequence: number, receivedMs: number | null): PacketResult => ({
  sequence,
  sentMs: sequence,
  sizeBytes: 1000,
  kind: 'media',
  inFlightBytes: 1000,
  receivedMs,
});

test('the rate is what was asked for, else the start rate, paced at 2.5 x it', () => {
  assert.deepEqual(create({ rate: '1mbit' }).onConstraints(constraints, 0), { targetBps: 1e6, pacingBps: 2.5e6 });
  assert.deepEqual(create().onConstraints(constraints, 0), { targetBps: 300e3, pacingBps: 750e3 });
  assert.deepEqual(create({ rate: '1mbit', pacingFactor: 10 }).onConstraints(constraints, 0), {
    targetBps: 1e6,
    pacingBps: 10e6,
  });
});

test("the stream's bounds hold, and new ones are followed", () => {
  const controller = create({ rate: '4mbit' });
  assert.equal(controller.onConstraints(constraints, 0).targetBps, 2e6);
  assert.equal(controller.onConstraints({ ...constraints, maxBps: 8e6 }, 10).targetBps, 4e6);
  assert.deepEqual(controller.onConstraints({ ...constraints, maxBps: 9e6 }, 20), {});
  assert.equal(create({ rate: '50kbit' }).onConstraints(constraints, 0).targetBps, 100e3);
});

test('reports change nothing and are told', () => {
  const controller = create({ rate: '1mbit' });
  controller.onConstraints(constraints, 0);
  assert.deepEqual(
    controller.onFeedback({
      arrivedMs: 100,
      packets: [packet(0, 50), packet(1, null), packet(2, null), packet(3, 60)],
      inFlightBytes: 0,
    }),
    {},
  );
  assert.equal(controller.trace()['lossRatio'], 0.5);
  assert.deepEqual(controller.onFeedback({ arrivedMs: 200, packets: [], inFlightBytes: 0 }), {});
  assert.equal(controller.trace()['lossRatio'], 0.5);
  assert.deepEqual(controller.onTick(60e3), {});
});
