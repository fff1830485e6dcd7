import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highestRateBps, meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';

const steady = { rateBps: 40e6, schedule: [] };
const stepped = {
  rateBps: 40e6,
  schedule: [
    { atMs: 10_000, rateBps: 10e6, rampMs: 0 },
    { atMs: 30_000, rateBps: 20e6, rampMs: 0 },
  ],
};
const ramped = { rateBps: 10e6, schedule: [{ atMs: 1000, rateBps: 30e6, rampMs: 2000 }] };

test('a link that stays as it is has one rate', () => {
  assert.deepEqual([meanRateBps(steady, -500, 3000), highestRateBps(steady, 100, 100)], [40e6, 40e6]);
});

test('steps: each rate counts for as long as it held, also after the last', () => {
  assert.equal(meanRateBps(stepped, 0, 40_000), (40e6 * 10 + 10e6 * 20 + 20e6 * 10) / 40);
  assert.equal(meanRateBps(stepped, 12_000, 13_000), 10e6);
  assert.equal(meanRateBps(stepped, 50_000, 60_000), 20e6);
  assert.equal(meanRateBps(stepped, -10_000, 10_000), 40e6);
});

test('a ramp is linear', () => {
  assert.equal(meanRateBps(ramped, 1000, 3000), 20e6);
  assert.equal(meanRateBps(ramped, 1000, 2000), 15e6);
  assert.equal(meanRateBps(ramped, 0, 4000), (10e6 + 2 * 20e6 + 30e6) / 4);
});

test('the highest is that of any moment, ends included', () => {
  assert.deepEqual(
    [
      highestRateBps(stepped, 9000, 12_000),
      highestRateBps(stepped, 10_001, 29_000),
      highestRateBps(stepped, 15_000, 31_000),
    ],
    [40e6, 10e6, 20e6],
  );
  assert.deepEqual([highestRateBps(ramped, 0, 2000), highestRateBps(ramped, 2000, 2500)], [20e6, 25e6]);
});
