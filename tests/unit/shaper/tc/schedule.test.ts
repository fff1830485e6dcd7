import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateChanges } from '../../../../shaper/tc/schedule.ts';

test('a step is one change', () => {
  assert.deepEqual(
    rateChanges(40e6, [
      { atMs: 10e3, rateBps: 10e6, rampMs: 0 },
      { atMs: 20e3, rateBps: 40e6, rampMs: 0 },
    ]),
    [
      { atMs: 10e3, rateBps: 10e6 },
      { atMs: 20e3, rateBps: 40e6 },
    ],
  );
});

test('a ramp is a stair of 50 ms that ends at its rate', () => {
  assert.deepEqual(rateChanges(10e6, [{ atMs: 1000, rateBps: 20e6, rampMs: 200 }]), [
    { atMs: 1000, rateBps: 12.5e6 },
    { atMs: 1050, rateBps: 15e6 },
    { atMs: 1100, rateBps: 17.5e6 },
    { atMs: 1150, rateBps: 20e6 },
  ]);
});

test('a ramp begins at the rate before it', () => {
  const [, first] = rateChanges(40e6, [
    { atMs: 0, rateBps: 10e6, rampMs: 0 },
    { atMs: 1000, rateBps: 20e6, rampMs: 100 },
  ]);
  assert.deepEqual(first, { atMs: 1000, rateBps: 15e6 });
});
