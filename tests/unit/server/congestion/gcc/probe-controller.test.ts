import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe } from '../../../../../server/congestion/controller.ts';
import { ProbeController } from '../../../../../server/congestion/gcc/probe-controller.ts';

function controller(periodicInAlr = false) {
  return new ProbeController({ ceilingBps: 5e6, periodicInAlr });
}

/** A controller that has finished its first probes with an estimate of 1 Mbit/s; the media can use 3 Mbit/s. */
function settled(periodicInAlr = false) {
  const probes = controller(periodicInAlr);
  probes.start(300e3, 3e6, 0);
  probes.setEstimate(1e6, 'delay-based', 500);
  probes.onTick(1501);
  assert.equal(probes.state, 'complete');
  return probes;
}

function rates(probes: readonly Probe[]) {
  return probes.map(({ rateBps }) => rateBps);
}

test('first probes at 3 x and 6 x the start rate, each of 5 packets and 15 ms', () => {
  const probes = controller();
  assert.deepEqual(probes.start(300e3, 3e6, 0), [
    { id: 1, rateBps: 900e3, minPackets: 5, minBytes: Math.ceil((900e3 / 8) * 0.015) },
    { id: 2, rateBps: 1.8e6, minPackets: 5, minBytes: 3375 },
  ]);
  assert.equal(probes.state, 'waiting');
});

test('a result above 70 % of the last probe is probed at twice its rate, up to twice what the media can use', () => {
  const probes = controller();
  probes.start(300e3, 1.7e6, 0);
  // 0.7 x 1.8 = 1.26 Mbit/s.
  assert.deepEqual(rates(probes.setEstimate(1.26e6, 'delay-based', 100)), []);
  // 2 x 1.3 Mbit/s; the next result must exceed 0.7 x 2.6 = 1.82.
  assert.deepEqual(rates(probes.setEstimate(1.3e6, 'delay-based', 110)), [2.6e6]);
  assert.deepEqual(rates(probes.setEstimate(1.82e6, 'delay-based', 115)), []);
  // 2 x 1.85 = 3.7 is capped at 2 x 1.7 = 3.4 and ends the probing.
  assert.deepEqual(rates(probes.setEstimate(1.85e6, 'delay-based', 120)), [3.4e6]);
  assert.equal(probes.state, 'complete');
  assert.deepEqual(probes.setEstimate(3.3e6, 'delay-based', 150), []);
});

test('results are waited for one second', () => {
  const probes = controller();
  probes.start(300e3, 3e6, 0);
  probes.onTick(1000);
  assert.equal(probes.state, 'waiting');
  probes.onTick(1001);
  assert.equal(probes.state, 'complete');
  assert.deepEqual(probes.setEstimate(1.7e6, 'delay-based', 1100), []);
});

test('nothing is probed while delay changes, round trips are too long, or losses limit', () => {
  for (const limit of ['delay-changing', 'rtt', 'loss'] as const) {
    const probes = controller();
    probes.start(300e3, 3e6, 0);
    assert.deepEqual(probes.setEstimate(1.7e6, limit, 100), [], limit);
    assert.equal(probes.state, 'waiting');
  }
});

test('the ceiling holds whatever the media can use', () => {
  const probes = controller();
  assert.deepEqual(rates(probes.start(1e6, 8e6, 0)), [3e6, 5e6]);
  assert.equal(probes.state, 'complete');
});

test('media that can use more: probes at 1 x and 2 x that, up to twice the estimate', () => {
  assert.deepEqual(rates(settled().setAllocated(4e6, 2000)), [2e6], 'the estimate is 1 Mbit/s');
  const fast = settled();
  fast.setEstimate(3e6, 'delay-based', 1600);
  assert.deepEqual(
    rates(fast.setAllocated(4e6, 2000)),
    [4e6, 5e6],
    '2 x 4 is limited to 2 x 3, capped at the ceiling of 5',
  );
  const less = settled();
  assert.deepEqual(less.setAllocated(2e6, 2000), []);
  const enough = settled();
  enough.setEstimate(3.5e6, 'delay-based', 1600);
  assert.deepEqual(enough.setAllocated(3.2e6, 2000), [], 'the estimate is above it already');
});

test('a drop near an application-limited region is probed at 85 % of the old rate once the queue is empty', () => {
  const probes = settled();
  probes.setAlrStart(5000);
  probes.setEstimate(650e3, 'delay-based', 6000);
  // 0.85 x 1 Mbit/s, as 0.95 x 850 > 650 kbit/s.
  assert.deepEqual(rates(probes.onRecovered(10999)), [850e3]);
  const late = settled();
  late.setAlrStart(5000);
  late.setEstimate(650e3, 'delay-based', 6000);
  assert.deepEqual(late.onRecovered(11000), [], 'the drop was 5 s ago');
});

test('drops are probed at most every 5 s, and only where that promises 5 % more', () => {
  const probes = settled();
  probes.setAlrStart(5000);
  probes.setEstimate(650e3, 'delay-based', 6000);
  assert.deepEqual(rates(probes.onRecovered(7000)), [850e3]);
  probes.setEstimate(1e6, 'delay-based', 7100);
  probes.setEstimate(650e3, 'delay-based', 8000);
  assert.deepEqual(probes.onRecovered(12000), [], '5 s after the last');
  assert.deepEqual(rates(probes.onRecovered(12001)), [850e3]);
  const near = settled();
  near.setAlrStart(5000);
  near.setEstimate(650e3, 'delay-based', 6000);
  near.setEstimate(0.95 * 850e3, 'delay-based', 6500);
  assert.deepEqual(near.onRecovered(7000), [], '0.95 x 850 is not more than the estimate');
  near.setEstimate(0.949 * 850e3, 'delay-based', 6600);
  assert.deepEqual(rates(near.onRecovered(7000)), [850e3]);
});

test('no probe after a drop that was small, or far from such a region', () => {
  const small = settled();
  small.setAlrStart(5000);
  small.setEstimate(670e3, 'delay-based', 6000);
  assert.deepEqual(small.onRecovered(8000), []);
  const busy = settled();
  busy.setEstimate(650e3, 'delay-based', 6000);
  assert.deepEqual(busy.onRecovered(8000), []);
  busy.setAlrEnd(5000);
  assert.deepEqual(busy.onRecovered(8000), [], '3 s after its end');
  busy.setAlrEnd(5001);
  assert.deepEqual(rates(busy.onRecovered(8000)), [850e3]);
});

test('in an application-limited region twice the estimate is probed every 5 s, where asked', () => {
  const probes = settled(true);
  probes.setAlrStart(2000);
  assert.deepEqual(probes.onTick(6999), []);
  assert.deepEqual(rates(probes.onTick(7000)), [2e6]);
  probes.onTick(8001);
  assert.deepEqual(probes.onTick(11999), []);
  assert.deepEqual(rates(probes.onTick(12000)), [2e6]);
  const without = settled(false);
  without.setAlrStart(2000);
  assert.deepEqual(without.onTick(7000), []);
});
