import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedPacket } from '../../../../../server/congestion/gcc/loss-observations.ts';
import { TargetRate } from '../../../../../server/congestion/gcc/target-rate.ts';
import { near } from './near.ts';

/** Returns a report of ten packets sent over the 90 ms before `nowMs`; `lost` of them are missing. */
function report(nowMs: number, lost = 0): ReportedPacket[] {
  return Array.from({ length: 10 }, (_, i) => ({
    sequence: nowMs * 10 + i,
    sentMs: nowMs - 90 + 10 * i,
    sizeBytes: 1000,
    received: i >= lost,
  }));
}

/** Passes feedback, and every second an RTCP report on 100 packets with the loss ratio `lost` / 8. */
function step(target: TargetRate, nowMs: number, lost = 0): void {
  target.onLosses(report(nowMs, lost), false, nowMs);
  if (nowMs % 1000 === 0) target.onLossReport(lost * 12.5, 100, nowMs);
}

test('at the start the target follows the delay-based estimate up', () => {
  const target = new TargetRate(300e3, true);
  target.setMinBps(30e3);
  target.setDelayBased(800e3);
  near(target.rateBps, 300e3, 'the estimate is a limit only');
  target.onLosses(report(100), false, 100);
  near(target.rateBps, 800e3);
});

test('the target never exceeds the delay-based estimate', () => {
  const target = new TargetRate(300e3, true);
  target.setDelayBased(200e3);
  near(target.rateBps, 200e3);
});

test("a probe's result is the target at once, and rises from there", () => {
  const target = new TargetRate(300e3, true);
  target.setDelayBased(300e3);
  target.setProbed(1.5e6, 100);
  near(target.rateBps, 1.5e6);
});

test('the old rule alone: after 2 s the target rises 8 % at a time', () => {
  const target = new TargetRate(300e3, false);
  target.setDelayBased(Infinity);
  for (let nowMs = 100; nowMs <= 3200; nowMs += 100) step(target, nowMs);
  const beforeBps = target.rateBps;
  assert.ok(beforeBps > 300e3 * 1.08);
  // In one second the lowest rate leaves the window once.
  for (let nowMs = 3300; nowMs <= 4300; nowMs += 100) step(target, nowMs);
  near(target.rateBps, beforeBps * 1.08 + 1000);
});

test('the old rule alone: 25 % of loss takes an eighth off with every report', () => {
  const target = new TargetRate(1e6, false);
  for (let nowMs = 100; nowMs <= 1100; nowMs += 100) step(target, nowMs, 2);
  near(target.rateBps, 1e6 * (1 - 0.5 * 0.25));
  near(target.lossRatio, 0.25);
});

test('with three observations of 250 ms the loss model decides', () => {
  const target = new TargetRate(1e6, true);
  target.setMinBps(30e3);
  target.setAckedBps(300e3);
  target.setDelayBased(1e6);
  for (let nowMs = 100; nowMs <= 900; nowMs += 100) target.onLosses(report(nowMs, 6), false, nowMs);
  assert.equal(target.lossState, 'decreasing');
  // 60 % are lost: at most max(acked bitrate, 100 kbit/s / 0.55).
  near(target.rateBps, 300e3);
});

test('silence while sending lowers the target by a fifth each second, down to the minimum', () => {
  const target = new TargetRate(1e6, true);
  target.setMinBps(500e3);
  target.setDelayBased(1e6);
  target.onPropagationRtt(100, 0);
  const rates: number[] = [];
  for (let nowMs = 25; nowMs <= 8000; nowMs += 25) {
    target.onSent(nowMs);
    target.update(nowMs);
    if (nowMs % 1000 === 0) rates.push(Math.round(target.rateBps));
  }
  // The round trip exceeds 3 s at 2900 + 25 ms; then the rate falls every second.
  assert.deepEqual(rates, [1e6, 1e6, 800e3, 640e3, 512e3, 500e3, 500e3, 500e3]);
  assert.equal(target.isRttAboveLimit, true);
});
