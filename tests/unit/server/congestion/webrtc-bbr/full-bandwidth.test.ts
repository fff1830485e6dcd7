import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FullBandwidth } from '../../../../../server/congestion/webrtc-bbr/full-bandwidth.ts';

test('three rounds without a quarter more are enough', () => {
  const full = new FullBandwidth({ rounds: 3, exitOnLoss: true });
  for (const bps of [1e6, 1.25e6, 1.5e6, 1.5e6]) full.onRound(bps, false, false);
  assert.equal(full.isReached, false);
  full.onRound(1.55e6, false, false);
  assert.equal(full.isReached, true);
});

test('growth in between starts the count anew', () => {
  const full = new FullBandwidth({ rounds: 3, exitOnLoss: true });
  for (const bps of [1e6, 1e6, 1e6, 1.25e6, 1.25e6, 1.25e6]) full.onRound(bps, false, false);
  assert.equal(full.isReached, false);
});

test('an application-limited round does not count', () => {
  const full = new FullBandwidth({ rounds: 1, exitOnLoss: true });
  full.onRound(1e6, false, false);
  full.onRound(1e6, true, true);
  assert.equal(full.isReached, false);
});

test('recovery ends it at once, where asked, unless the bandwidth has grown', () => {
  for (const exitOnLoss of [true, false]) {
    const full = new FullBandwidth({ rounds: 3, exitOnLoss });
    full.onRound(1e6, false, true);
    assert.equal(full.isReached, false);
    full.onRound(1e6, false, true);
    assert.equal(full.isReached, exitOnLoss);
  }
});
