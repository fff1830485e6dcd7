import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bandwidth } from '../../../../../server/congestion/webrtc-bbr/bandwidth.ts';

const sample = (bandwidthBps: number, isAppLimited = false) => ({ bandwidthBps, rttMs: 50, isAppLimited });

test('the best of ten rounds', () => {
  const bandwidth = new Bandwidth('best', 'replace-all');
  assert.equal(bandwidth.bps, 0);
  bandwidth.add(sample(2e6), 1);
  for (let round = 2; round <= 11; round++) bandwidth.add(sample(1e6), round);
  assert.equal(bandwidth.bps, 2e6);
  bandwidth.add(sample(1e6), 12);
  assert.equal(bandwidth.bps, 1e6);
});

test('the third best is lower as soon as the filter has others', () => {
  const bandwidth = new Bandwidth('third-best', 'replace-one');
  for (const [round, bps] of [1e6, 1.1e6, 2e6].entries()) bandwidth.add(sample(bps), round);
  assert.equal(bandwidth.bps, 1e6);
});

test('an application-limited sample counts only above the estimate', () => {
  const bandwidth = new Bandwidth('best', 'replace-all');
  bandwidth.add(sample(1e6), 0);
  for (let round = 1; round <= 30; round++) bandwidth.add(sample(0.5e6, true), round);
  assert.equal(bandwidth.bps, 1e6);
  assert.equal(bandwidth.isAppLimited, true);
  bandwidth.add(sample(1.2e6, true), 31);
  assert.equal(bandwidth.bps, 1.2e6);
});

test('a packet that says nothing counts as a sample of 0: it empties a filter that has become too old', () => {
  const bandwidth = new Bandwidth('best', 'replace-all');
  bandwidth.add(sample(1e6), 0);
  bandwidth.add(sample(0), 10);
  assert.equal(bandwidth.bps, 1e6);
  const old = new Bandwidth('best', 'replace-all');
  old.add(sample(1e6), 0);
  old.add(sample(0), 11);
  assert.equal(old.bps, 0);
});
