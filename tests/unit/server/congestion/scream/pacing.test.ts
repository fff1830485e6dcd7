import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pacingRateBps } from '../../../../../server/congestion/scream/pacing.ts';

test('a window per round trip, 50 kbit/s at least', () => {
  assert.equal(pacingRateBps(12_500, 100), 1e6);
  assert.equal(pacingRateBps(3000, 1000), 50e3);
});
