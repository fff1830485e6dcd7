import { test } from 'node:test';
import { PacingRate } from '../../../../../server/congestion/webrtc-bbr/pacing-rate.ts';
import { near } from '../gcc/near.ts';

test('before any bandwidth: 2.885 x the initial window in a round trip', () => {
  const pacing = new PacingRate(46_720);
  near(pacing.bps(100), (2.885 * 46_720 * 8000) / 100);
  pacing.update(0, 2.885, false);
  near(pacing.bps(50), (2.885 * 46_720 * 8000) / 50);
});

test('with the first bandwidth: the initial window in the lowest round trip; from then on gain x bandwidth where that is more', () => {
  const pacing = new PacingRate(46_720);
  pacing.onRtt(120);
  pacing.onRtt(100);
  pacing.onRtt(150);
  pacing.update(1e6, 2.885, false);
  near(pacing.bps(100), (46_720 * 8000) / 100);
  pacing.update(1e6, 2.885, false);
  near(pacing.bps(100), (46_720 * 8000) / 100, 'no fall in STARTUP');
  pacing.update(3e6, 2.885, false);
  near(pacing.bps(100), 3e6 * 2.885);
});

test('once the bandwidth is found: gain x bandwidth, up and down', () => {
  const pacing = new PacingRate(46_720);
  pacing.onRtt(100);
  pacing.update(3e6, 2.885, false);
  pacing.update(3e6, 1 / 2.885, true);
  near(pacing.bps(100), 3e6 / 2.885);
  pacing.update(2e6, 1.25, true);
  near(pacing.bps(100), 2.5e6);
});
