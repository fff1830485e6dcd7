import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlrDetector } from '../../../../../server/congestion/gcc/alr.ts';

/** Sends `bytes` every 10 ms from `fromMs` to `toMs`; the first time at which `wanted` holds. */
function send(alr: AlrDetector, bytes: number, fromMs: number, toMs: number, wanted: boolean): number | undefined {
  for (let atMs = fromMs; atMs <= toMs; atMs += 10) {
    alr.onSent(bytes, atMs);
    if ((alr.startMs !== undefined) === wanted) return atMs;
  }
  return undefined;
}

test('the region begins when 80 % of half a second at 65 % of the estimate are unused', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  // 65 % of 1 Mbit/s are 812.5 bytes in 10 ms; 100 are sent, 712.5 stay unused; budget 40625, 80 % = 32500.
  // 32500 / 712.5 = 45.6: after 46 steps of 10 ms.
  assert.equal(send(alr, 100, 0, 1000, true), 460);
  assert.equal(alr.startMs, 460);
});

test('it ends when less than half is unused', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  send(alr, 100, 0, 1000, true);
  // Unused 46 x 712.5 = 32775; each 10 ms now take 1250 - 812.5 = 437.5 off; below 20312.5 after 29 steps.
  assert.equal(send(alr, 1250, 470, 2000, false), 470 + 28 * 10);
});

test('an encoder that uses 70 % is not in the region', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  assert.equal(send(alr, 875, 0, 10000, true), undefined);
});

test('a lower estimate shrinks what is unused', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  send(alr, 100, 0, 1000, true);
  alr.setEstimate(100e3);
  // The budget is 4062.5 bytes now and full. 1250 - 81.25 are taken off with each packet: 0.42 after two.
  assert.equal(send(alr, 1250, 470, 1000, false), 480);
});

test('there is no region without an estimate', () => {
  const alr = new AlrDetector();
  assert.equal(send(alr, 1, 0, 5000, true), undefined);
});
