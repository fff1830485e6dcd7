import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AimdRateControl } from '../../../../../server/congestion/gcc/aimd.ts';
import { near } from './near.ts';

test("far from the link's capacity the rate grows by 8 % per second, at least by 1 kbit/s per call", () => {
  const aimd = new AimdRateControl(1e6, 0.85);
  assert.equal(aimd.state, 'hold');
  near(aimd.update('normal', 1e6, 0), 1e6 + 1000);
  assert.equal(aimd.state, 'increase');
  near(aimd.update('normal', 1e6, 1000), 1_001_000 * 1.08);
  near(aimd.update('normal', 1e6, 1500), 1_001_000 * 1.08 * 1.08 ** 0.5);
  // Growth is limited to that of a second, however long the pause.
  near(aimd.update('normal', 1e6, 9000), 1_001_000 * 1.08 * 1.08 ** 0.5 * 1.08);
});

test('nothing grows above 1.5 x the acked bitrate + 10 kbit/s, but what is above stays', () => {
  const aimd = new AimdRateControl(740e3, 0.85);
  aimd.update('normal', 500e3, 0);
  near(aimd.update('normal', 500e3, 1000), 1.5 * 500e3 + 10e3);
  near(aimd.update('normal', 300e3, 2000), 760e3);
});

test('over-use leaves 85 % of the acked bitrate, less 5 kbit/s, and holds', () => {
  const aimd = new AimdRateControl(2e6, 0.85);
  near(aimd.update('overuse', 1e6, 0), 0.85 * 1e6 - 5e3);
  assert.equal(aimd.state, 'hold');
  near(aimd.linkCapacityBps, 1e6);
});

test("over-use never raises: it goes by the link's capacity, or stays", () => {
  const fresh = new AimdRateControl(500e3, 0.85);
  // 0.85 x 1e6 - 5e3 is above 500e3, and no capacity is known.
  near(fresh.update('overuse', 1e6, 0), 500e3);
  const aimd = new AimdRateControl(2e6, 0.85);
  aimd.update('overuse', 1e6, 0);
  aimd.setRateBps(900e3, 500);
  // 0.85 x 1.2e6 - 5e3 is above 900e3, so the rate becomes 0.85 x 1e6.
  near(aimd.update('overuse', 1.2e6, 1000), 0.85 * 1e6);
});

test('near the capacity the rate grows by one packet per response time', () => {
  const aimd = new AimdRateControl(2e6, 0.85);
  aimd.update('overuse', 1e6, 0);
  aimd.update('normal', 1e6, 100);
  // 845 kbit/s in 30 frames: 3520.8 bytes in 3 packets; response 2 x (200 + 100) ms.
  const slope = 845e3 / 30 / 3 / 0.6;
  near(aimd.additiveBpsPerS(), slope);
  near(aimd.update('normal', 1e6, 600), 845e3 + slope * 0.5);
  aimd.setRttMs(50);
  near(aimd.additiveBpsPerS(), aimd.rateBps / 30 / 3 / 0.3);
  // 1200 bytes in 30 frames are 288 kbit/s: one packet per frame up to this rate, two above.
  aimd.setRateBps(288e3, 600);
  near(aimd.additiveBpsPerS(), 9600 / 0.3);
  aimd.setRateBps(288.1e3, 600);
  near(aimd.additiveBpsPerS(), 288.1e3 / 30 / 2 / 0.3);
});

test('additive growth is at least 4 kbit/s per second', () => {
  const aimd = new AimdRateControl(30e3, 0.85);
  aimd.setRttMs(1000);
  // 30e3 / 30 = 1000 bits in one packet, 1000 / 2.2 s.
  near(aimd.additiveBpsPerS(), 4000);
});

test("an acked bitrate above the capacity's bound ends additive growth, one below it starts a new estimate", () => {
  const aimd = new AimdRateControl(2e6, 0.85);
  aimd.update('overuse', 1e6, 0);
  aimd.update('normal', 1e6, 100);
  // Upper bound 1000 + 60 kbit/s.
  near(aimd.update('normal', 1.07e6, 1100), 845e3 * 1.08);
  assert.equal(aimd.linkCapacityBps, undefined);
  aimd.update('overuse', 1e6, 2000);
  // Lower bound 940 kbit/s.
  aimd.update('overuse', 500e3, 3000);
  near(aimd.linkCapacityBps, 500e3);
});

test('under-use holds', () => {
  const aimd = new AimdRateControl(1e6, 0.85);
  aimd.update('normal', 1e6, 0);
  near(aimd.update('underuse', 1e6, 1000), 1_001_000);
  assert.equal(aimd.state, 'hold');
});

test('a decrease waits for a round trip within 10 and 200 ms, or for a collapse', () => {
  const aimd = new AimdRateControl(1e6, 0.85);
  aimd.setRateBps(1e6, 0);
  assert.equal(aimd.mayDecrease(900e3, 199), false);
  assert.equal(aimd.mayDecrease(900e3, 200), true);
  assert.equal(aimd.mayDecrease(500e3, 1), false);
  assert.equal(aimd.mayDecrease(499e3, 1), true);
  aimd.setRttMs(1);
  assert.equal(aimd.mayDecrease(900e3, 9), false);
  assert.equal(aimd.mayDecrease(900e3, 10), true);
  aimd.setRttMs(1000);
  assert.equal(aimd.mayDecrease(900e3, 199), false);
  assert.equal(aimd.mayDecrease(900e3, 200), true);
});

test('the rate never falls below the minimum', () => {
  const aimd = new AimdRateControl(1e6, 0.85);
  aimd.setMinBps(400e3);
  near(aimd.update('overuse', 100e3, 0), 400e3);
  aimd.setMinBps(600e3);
  near(aimd.rateBps, 600e3);
});
