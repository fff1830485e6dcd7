import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossEventRate } from '../../../../../server/congestion/shared/loss-event-rate.ts';
import { near } from '../gcc/near.ts';

test('round trips with a loss are counted, not losses', () => {
  const rate = new LossEventRate();
  rate.update(false, 100, 0);
  for (const nowMs of [20, 40, 60]) rate.update(true, 100, nowMs);
  assert.equal(rate.ratio, 0, 'the round trip is not over');
  rate.update(false, 100, 100);
  near(rate.ratio, 0.02);
  rate.update(false, 100, 200);
  near(rate.ratio, 0.02 * 0.98);
});

test('a loss in every round trip is a rate of 1, in one of ten a tenth', () => {
  const [all, tenth] = [new LossEventRate(), new LossEventRate()];
  for (let i = 0; i < 1000; i++) {
    all.update(true, 100, i * 100);
    tenth.update(i % 10 === 0, 100, i * 100);
  }
  near(all.ratio, 1);
  assert.ok(tenth.ratio > 0.09 && tenth.ratio < 0.11, `${tenth.ratio}`);
});
