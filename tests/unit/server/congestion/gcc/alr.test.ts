import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlrDetector } from '../../../../../server/congestion/gcc/alr.ts';

/** Sends `bytes` every 10 ms from `fromMs` to `toMs`. Returns the first time at which the state is `wanted`. */
function send(alr: AlrDetector, bytes: number, fromMs: number, toMs: number, wanted: boolean): number | undefined {
  for (let atMs = fromMs; atMs <= toMs; atMs += 10) {
    alr.onSent(bytes, atMs);
    if ((alr.startMs !== undefined) === wanted) return atMs;
  }
  return undefined;
}

test('the region begins when 40 % of half a second at 80 % of the estimate are unused', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  // 80 % of 1 Mbit/s are 1000 bytes in 10 ms; 100 are sent, 900 stay unused; budget 50000, 40 % = 20000.
  // 20000 / 900 = 22.2: after 23 steps of 10 ms.
  assert.equal(send(alr, 100, 0, 1000, true), 230);
  assert.equal(alr.startMs, 230);
});

test('it ends when the budget and 60 % of it more are used', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  send(alr, 100, 0, 1000, true);
  // Unused: 23 x 900 = 20700. Each 10 ms now use 1250 - 1000 = 250 more, so the budget is below -30000 after 203 steps.
  assert.equal(send(alr, 1250, 240, 5000, false), 240 + 202 * 10);
});

test('an encoder that uses 85 % is not in the region, one that uses 70 % is', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  assert.equal(send(alr, 1063, 0, 10_000, true), undefined);
  assert.equal(send(alr, 875, 10_010, 20_000, true)! > 10_010, true);
});

test('a lower estimate shrinks what is unused', () => {
  const alr = new AlrDetector();
  alr.setEstimate(1e6);
  send(alr, 100, 0, 1000, true);
  alr.setEstimate(100e3);
  // The budget is 5000 bytes now, and full. Each packet uses 1250 - 100, so it is below -3000 after seven packets.
  assert.equal(send(alr, 1250, 240, 1000, false), 240 + 6 * 10);
});

test('there is no region without an estimate', () => {
  const alr = new AlrDetector();
  assert.equal(send(alr, 1, 0, 5000, true), undefined);
});
