import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin } from '../../../../../server/congestion/scream-v2/index.ts';
import { near } from '../gcc/near.ts';
import { Path } from '../shared/path.ts';

const constraints = { minBps: 50e3, startBps: 400e3, maxBps: 8e6 };
const pathOf = (params: Record<string, unknown> = {}, given = constraints) =>
  new Path(plugin.create(plugin.params.parse(params)), given);

test('before the first round trip it goes by the start rate; five windows may be in flight', () => {
  const controller = plugin.create(plugin.params.parse({}));
  assert.deepEqual(controller.onConstraints(constraints, 0), {
    targetBps: 400e3,
    pacingBps: 600e3,
    paddingBps: 0,
    congestionWindowBytes: 15_000,
  });
});

test('then the target is a window per round trip', () => {
  const path = pathOf();
  const { targetBps, pacingBps, congestionWindowBytes } = path.exchange(3);
  const windowBytes = 3000 + 1000 * (1 - 1 / 3) * (1 + 0.02 * 3);
  near(path.value('windowBytes'), windowBytes);
  near(targetBps, (((windowBytes * 8) / 0.05) * (1 - (1000 / windowBytes - 0.1)) * 1000) / 1020);
  near(pacingBps, 1.5 * targetBps!);
  near(congestionWindowBytes, 5 * windowBytes);
});

test('as L4S it asks for bursts of 1 ms; otherwise the pacer keeps its own', () => {
  assert.equal(pathOf({ ecn: 'l4s' }).exchange(3).burstMs, 1);
  assert.ok(!('burstMs' in pathOf({ ecn: 'classic' }).exchange(3)));
});

test('marked bytes do not make the window grow, and are a reason to reduce it', () => {
  const path = pathOf();
  for (let i = 0; i < 30; i++) path.exchange(20);
  const before = path.value('windowBytes');
  path.exchange(20, { ecn: 'ce' });
  near(path.value('windowBytes'), before * 0.8);
  near(path.value('markedRatio'), 1 / 8);
});

test('losses reduce the window; the next message without one does not', () => {
  const path = pathOf();
  for (let i = 0; i < 30; i++) path.exchange(20);
  const before = path.value('windowBytes');
  path.exchange(20, { missing: 1 });
  assert.ok(path.value('windowBytes') < 0.75 * before && path.value('windowBytes') >= 0.7 * before);
  const after = path.value('windowBytes');
  path.exchange(20);
  assert.ok(path.value('windowBytes') >= after);
});

test('a queue reduces the window before anything is lost', () => {
  const path = pathOf();
  for (let i = 0; i < 30; i++) path.exchange(20);
  const before = path.value('windowBytes');
  for (let i = 0; i < 10; i++) path.exchange(20, { queueMs: 80 });
  assert.ok(path.value('windowBytes') < 0.8 * before, `${path.value('windowBytes')} after ${before}`);
  assert.ok(path.value('averageQueueDelayMs') > 30);
});

test('at the maximum rate the window stops growing', () => {
  const path = pathOf({}, { ...constraints, maxBps: 500e3 });
  path.exchange(20);
  const windowBytes = path.value('windowBytes');
  for (let i = 0; i < 60; i++) path.exchange(20);
  assert.deepEqual([path.value('targetBps'), path.value('windowBytes')], [500e3, windowBytes]);
});

test('a message with nothing in it, and one of losses alone before any arrival, decide nothing', () => {
  const path = pathOf();
  assert.deepEqual(path.controller.onFeedback({ arrivedMs: 10, packets: [], inFlightBytes: 0 }), {});
  assert.deepEqual(path.exchange(3, { missing: 3 }), {});
});

test('a queue that stands still raises the target delay, unless that is not wanted', () => {
  for (const [competingFlows, targetMs] of [
    ['compensate', 200],
    ['ignore', 60],
  ] as const) {
    const path = pathOf({ competingFlows });
    path.exchange(3);
    path.exchange(3, { queueMs: 200 });
    for (let i = 0; i < 800; i++) path.controller.onTick((path.nowMs += 25));
    near(path.value('queueDelayTargetMs'), targetMs);
  }
});
