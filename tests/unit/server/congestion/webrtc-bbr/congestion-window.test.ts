import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CongestionWindow, targetWindowBytes } from '../../../../../server/congestion/webrtc-bbr/congestion-window.ts';

const options = { initialBytes: 46_720, minBytes: 5840, maxBytes: 2_920_000 };

test('the target is gain x bandwidth x lowest round trip, at least the lowest window', () => {
  assert.equal(targetWindowBytes(2, 4e6, 50, options), 50_000);
  assert.equal(targetWindowBytes(0.75, 4e6, 50, options), 18_750);
  assert.equal(targetWindowBytes(1, 100e3, 50, options), 5840);
});

test('before the first bandwidth it counts from the initial window', () => {
  assert.equal(targetWindowBytes(2.885, 0, 100, options), 2.885 * 46_720);
});

test('in STARTUP the window grows by what is acknowledged and never shrinks', () => {
  const window = new CongestionWindow(options);
  assert.equal(window.bytes, 46_720);
  window.update({ targetBytes: 60_000, ackedBytes: 20_000, totalAckedBytes: 50_000, isFullBandwidth: false });
  assert.equal(window.bytes, 66_720);
  window.update({ targetBytes: 60_000, ackedBytes: 20_000, totalAckedBytes: 70_000, isFullBandwidth: false });
  assert.equal(window.bytes, 66_720);
});

test('until the initial window is acknowledged it grows whatever the target', () => {
  const window = new CongestionWindow(options);
  window.update({ targetBytes: 6000, ackedBytes: 1000, totalAckedBytes: 46_719, isFullBandwidth: false });
  assert.equal(window.bytes, 47_720);
});

test('after STARTUP it falls to the target at once and grows towards it by what is acknowledged', () => {
  const window = new CongestionWindow(options);
  window.update({ targetBytes: 20_000, ackedBytes: 1000, totalAckedBytes: 1e6, isFullBandwidth: true });
  assert.equal(window.bytes, 20_000);
  window.update({ targetBytes: 40_000, ackedBytes: 1000, totalAckedBytes: 1e6, isFullBandwidth: true });
  assert.equal(window.bytes, 21_000);
});

test('it stays within its limits', () => {
  const window = new CongestionWindow(options);
  window.update({ targetBytes: 10, ackedBytes: 0, totalAckedBytes: 1e6, isFullBandwidth: true });
  assert.equal(window.bytes, 5840);
  window.update({ targetBytes: 1e9, ackedBytes: 1e9, totalAckedBytes: 1e9, isFullBandwidth: true });
  assert.equal(window.bytes, 2_920_000);
});
