import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Goodput } from '../../../../../harness/services/shared/goodput.ts';

test('bits a second since the reading before; none at the first', () => {
  const goodput = new Goodput();
  assert.equal(goodput.since(5000, 1_000_000).goodputBps, 0);
  assert.equal(goodput.since(7000, 2_000_000).goodputBps, 4e6);
  assert.deepEqual(goodput.since(8000, 2_000_000), { framesPerSecond: null, goodputBps: 0, lost: false });
});
