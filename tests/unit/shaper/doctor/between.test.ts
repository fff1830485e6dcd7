import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClockSample } from '../../../../core/system/clock-estimate.ts';
import { describeBetween, devicesBetween, judgeBetween } from '../../../../shaper/doctor/lab/between.ts';

/** A hand-made probe over a symmetric path. */
const sample = (t1: number, halfTripUs: number, offsetUs: number): ClockSample => ({
  t1,
  t2: t1 + halfTripUs + offsetUs,
  t3: t1 + halfTripUs + offsetUs,
  t4: t1 + 2 * halfTripUs,
});

test('round trip, its spread, and the clock with its drift', () => {
  const first = [sample(0, 50, 1000), sample(1000, 100, 1000), sample(2000, 500, 1000)];
  const between = judgeBetween('a', 'b', 'test network', { first, second: [sample(5e6, 50, 1100)], sent: 6 });
  const { base, median, p99 } = between.roundTripUs!;
  assert.deepEqual([base, median, Math.round(p99)], [100, 150, 976]);
  assert.equal(between.answered, 4);
  assert.deepEqual(between.clock, { offsetUs: 1100, uncertaintyUs: 50, drift: { driftPpm: 20, uncertaintyPpm: 20 } });
  const { works, found } = describeBetween(between, true);
  assert.ok(works);
  assert.equal(
    found,
    'round trip 100 us (median 150 us, 99 % within 976 us), 2 of 6 probes lost, clock of b 1.10 ms ahead +- 50 us, drift 20.0 +- 20.0 ppm',
  );
});

test('one burst says nothing of the drift, through ssh is said, and none is a reason', () => {
  const late = judgeBetween('a', 'b', 'ssh', { first: [], second: [sample(0, 50, -3e6)], sent: 40 });
  assert.match(
    describeBetween(late, false).found,
    /round trip through ssh 100 us .*clock of b 3\.000 s behind \+- 50 us, drift unknown$/,
  );
  const silent = judgeBetween('a', 'b', 'test network', { first: [], second: [], sent: 80 });
  assert.deepEqual([silent.roundTripUs, silent.clock], [null, null]);
  const { works, required, found } = describeBetween(silent, true);
  assert.deepEqual([works, required, found], [false, true, 'none of 80 probes came back']);
});

const device = (address: string, prefixLength = 24) => ({ device: 'eth1', address, prefixLength });

test('machines meet on the network that they share', () => {
  const router = [device('10.77.1.1'), device('10.77.2.1')];
  assert.deepEqual(devicesBetween(router, [device('10.77.2.9')]), { from: router[1], to: device('10.77.2.9') });
  assert.deepEqual(devicesBetween([device('10.77.1.2')], [device('10.77.2.9')])!.to.address, '10.77.2.9');
  assert.equal(devicesBetween([], router), undefined);
});
