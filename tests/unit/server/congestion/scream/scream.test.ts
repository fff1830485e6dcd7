import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin } from '../../../../../server/congestion/scream/index.ts';
import { near } from '../gcc/near.ts';
import { Path } from '../shared/path.ts';

const constraints = { minBps: 50e3, startBps: 400e3, maxBps: 2e6 };
const pathOf = (params: Record<string, unknown> = {}, given = constraints) =>
  new Path(plugin.create(plugin.params.parse(params)), given);

test('before the first round trip it sends at the start rate, a minimal window and a segment in flight', () => {
  const controller = plugin.create(plugin.params.parse({}));
  assert.deepEqual(controller.onConstraints(constraints, 0), {
    targetBps: 400e3,
    pacingBps: 400e3,
    paddingBps: 0,
    congestionWindowBytes: 4000,
  });
});

test('what is acked opens the window; a window per round trip is the pacing rate', () => {
  const path = pathOf();
  const { congestionWindowBytes, pacingBps } = path.exchange(4);
  assert.equal(congestionWindowBytes, 3000 + 4000 + 1000);
  near(pacingBps, (7000 * 8) / 0.05);
});

test('a loss cuts window and target in the same breath, once per round trip', () => {
  const path = pathOf();
  path.exchange(7);
  const { congestionWindowBytes, targetBps } = path.exchange(10, { missing: 2 });
  near(congestionWindowBytes, 10_000 * 0.8 + 1000);
  near(targetBps, 400e3 * 0.9);
  assert.equal(path.value('inFastIncrease'), 0);
});

test('a mark cuts less; what arrives unmarked cuts nothing', () => {
  const path = pathOf();
  path.exchange(7, { ecn: 'ect0' });
  assert.equal(path.value('windowBytes'), 10_000);
  const { congestionWindowBytes, targetBps } = path.exchange(10, { ecn: 'ce' });
  near(congestionWindowBytes, 10_000 * 0.9 + 1000);
  near(targetBps, 400e3 * 0.9);
});

test('a queue longer than its target takes the extra segment away', () => {
  const path = pathOf();
  path.exchange(3);
  const { congestionWindowBytes } = path.exchange(3, { queueMs: 101 });
  assert.equal(congestionWindowBytes, path.value('windowBytes'));
  assert.equal(path.value('queueDelayMs'), 101);
});

test('the target is adjusted every 200 ms, by the least that waited in the sender', () => {
  const path = pathOf();
  path.exchange(20, { missing: 1 });
  path.tick();
  const before = path.value('targetBps');
  const targets: (number | undefined)[] = [];
  for (let i = 0; i < 8; i++) {
    path.controller.onPacketSent({
      sequence: 100 + i,
      sentMs: path.nowMs,
      sizeBytes: 1250,
      kind: 'media',
      inFlightBytes: 1250,
    });
    targets.push(path.tick(i === 3 ? 0 : 50_000).targetBps);
  }
  assert.deepEqual(
    targets.slice(0, 7),
    Array.from({ length: 7 }, () => undefined),
  );
  // the limit is the ramp-up, half of the target per second: a fifth of 400 kbit/s of throughput would be more
  near(targets[7], before * (1 + 0.5 * 0.2));
});

test('a message with nothing in it, and one of losses alone before any arrival, decide nothing', () => {
  const path = pathOf();
  assert.deepEqual(path.controller.onFeedback({ arrivedMs: 10, packets: [], inFlightBytes: 0 }), {});
  assert.deepEqual(path.exchange(3, { missing: 3 }), {});
});

test('new limits hold at once and start nothing anew', () => {
  const path = pathOf();
  path.exchange(4);
  assert.equal(
    path.controller.onConstraints({ ...constraints, startBps: 1e6, maxBps: 300e3 }, path.nowMs).targetBps,
    300e3,
  );
  assert.equal(path.value('windowBytes'), 7000);
});

test('a queue that stands still raises the target delay, unless that is not wanted', () => {
  for (const [competingFlows, targetMs] of [
    ['compensate', 200],
    ['ignore', 100],
  ] as const) {
    const path = pathOf({ competingFlows });
    path.exchange(3);
    path.exchange(3, { queueMs: 200 });
    for (let i = 0; i < 800; i++) path.tick();
    near(path.value('queueDelayTargetMs'), targetMs);
  }
});
