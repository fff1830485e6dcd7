import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateMeter } from '../../../../../harness/analysis/derive/rate-meter.ts';

test('the rate of the last second, from the readings around it', () => {
  const meter = new RateMeter();
  assert.equal(meter.read(0), undefined);
  for (let timeMs = 0; timeMs <= 2000; timeMs += 250) meter.add({ timeMs, value: timeMs <= 1000 ? 0 : timeMs - 1000 });
  assert.equal(meter.read(2000), 1000); // 1000 in the second from 1000 to 2000, and no reading before
});

test('one reading has no rate, and a rate that is not read any more is none', () => {
  const meter = new RateMeter();
  meter.add({ timeMs: 0, value: 5 });
  assert.equal(meter.read(10), undefined);
  meter.add({ timeMs: 500, value: 10 });
  assert.equal(meter.read(500), 10);
  assert.equal(meter.read(3500), 10);
  assert.equal(meter.read(3501), undefined);
});

test('a counter that begins anew gives no negative rate', () => {
  const meter = new RateMeter();
  meter.add({ timeMs: 0, value: 1e6 });
  meter.add({ timeMs: 1000, value: 2e6 });
  meter.add({ timeMs: 2000, value: 0 });
  assert.equal(meter.read(2000), undefined);
  meter.add({ timeMs: 3000, value: 100 });
  assert.equal(meter.read(3000), 100);
});
