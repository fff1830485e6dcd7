import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AckAggregation } from '../../../../../server/congestion/webrtc-bbr/ack-aggregation.ts';
import { near } from '../gcc/near.ts';

/** 1000 bytes in 8 ms. */
const bandwidthBps = 1e6;

test('feedback at the pace of the bandwidth has no excess', () => {
  const aggregation = new AckAggregation('replace-all');
  aggregation.onSent(0);
  for (let i = 1; i <= 20; i++) aggregation.onAcked(1000, bandwidthBps, i, 8 * i);
  assert.equal(aggregation.excessBytes, 0);
});

test('what comes faster than that is the excess, for ten rounds', () => {
  const aggregation = new AckAggregation('replace-all');
  aggregation.onSent(0);
  aggregation.onAcked(1000, bandwidthBps, 1, 8);
  // 3000 bytes more within 4 ms of the epoch's start; the bandwidth carries 500 in that time.
  aggregation.onAcked(3000, bandwidthBps, 1, 12);
  near(aggregation.excessBytes, 4000 - 500);
  for (let round = 2; round <= 12; round++) {
    aggregation.onAcked(1000, bandwidthBps, round, 100 * round);
    aggregation.onAcked(10, bandwidthBps, round, 100 * round + 1);
  }
  near(aggregation.excessBytes, 1010 - 125);
});
