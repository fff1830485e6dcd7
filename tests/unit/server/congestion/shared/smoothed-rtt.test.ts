import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmoothedRtt } from '../../../../../server/congestion/shared/smoothed-rtt.ts';

test('the first sample counts whole, the next by an eighth', () => {
  const rtt = new SmoothedRtt();
  assert.equal(rtt.ms, undefined);
  rtt.update(80);
  assert.equal(rtt.ms, 80);
  rtt.update(160);
  assert.equal(rtt.ms, 90);
});

test('no sample is less than a millisecond', () => {
  const rtt = new SmoothedRtt();
  rtt.update(0);
  assert.equal(rtt.ms, 1);
});
