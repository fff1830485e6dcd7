import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CongestionSignal } from '../../../../../server/congestion/nada/congestion-signal.ts';
import { LossIntervals } from '../../../../../server/congestion/nada/loss-intervals.ts';
import { params } from '../../../../../server/congestion/nada/params.ts';
import { near } from '../gcc/near.ts';

const signal = (given: Record<string, unknown> = {}) => new CongestionSignal(params.parse(given));
const loss = (lossRatio: number) => ({ lossRatio, markRatio: 0 });
const noLosses = new LossIntervals(false);

/** A loss after 10 packets, then `packets` received packets. */
function lossAgo(packets: number): LossIntervals {
  const losses = new LossIntervals(false);
  for (let i = 1; i <= 10 + packets; i++) losses.add(1000 * i, i === 10, 50);
  return losses;
}

test('without losses the signal is the queue delay, however long, up to 500 ms', () => {
  for (const delayMs of [0, 10, 49, 51, 400]) assert.equal(signal().update(delayMs, loss(0), noLosses), delayMs);
  assert.equal(signal().update(700, loss(0), noLosses), 500);
});

test('after a loss longer delays than 50 ms count less and less (equation 1)', () => {
  const warped = (delayMs: number) => signal().update(delayMs, loss(0), lossAgo(0));
  near(warped(49), 49);
  near(warped(50), 50);
  near(warped(100), 50 * Math.exp(-0.5));
  near(warped(250), 50 * Math.exp(-2));
});

test('over seven average intervals without a loss warping lasts, over an eighth it ends', () => {
  const at = (packets: number) => signal().update(100, loss(0), lossAgo(packets));
  const warpedMs = 50 * Math.exp(-0.5);
  near(at(70), warpedMs);
  near(at(75), (warpedMs + 100) / 2);
  near(at(80), 100);
  near(at(1000), 100);
});

test('losses add 10 ms x (ratio / 1 %)^2, the ratio smoothed by a tenth (equations 2 and 10)', () => {
  const of = signal();
  near(of.update(20, loss(0.1), noLosses), 20 + 10);
  near(of.lossRatio, 0.01);
  near(of.update(20, loss(0.1), noLosses), 20 + 10 * 1.9 ** 2);
  near(of.update(20, loss(0), noLosses), 20 + 10 * (0.9 * 1.9) ** 2);
  assert.equal(signal().update(0, loss(1), noLosses), 500);
});

test('its parts are told', () => {
  const of = signal();
  of.update(100, loss(0.1), lossAgo(0));
  near(of.warpedMs, 50 * Math.exp(-0.5));
  near(of.signalMs, of.warpedMs + 10);
});

test('ECN marks add 2 ms x (ratio / 1 %)^2, smoothed the same way', () => {
  const of = signal();
  near(of.update(20, { lossRatio: 0, markRatio: 0.1 }, noLosses), 20 + 2);
  near(of.markRatio, 0.01);
  near(of.update(20, { lossRatio: 0.1, markRatio: 0.1 }, noLosses), 20 + 2 * 1.9 ** 2 + 10);
});
