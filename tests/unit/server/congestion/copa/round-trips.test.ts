import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoundTrips } from '../../../../../server/congestion/copa/round-trips.ts';

const clockMs = 1e6;
const start = () => new RoundTrips({ minRttWindowMs: 10e3, standingWindowMs: 40, nearlyEmptyRatio: 0.1 });

/**
 * Sends packets every 10 ms for 100 ms from `fromMs`. They arrive after 25 ms and the queue delay. The report leaves
 * `holdMs` after the last arrival and takes 25 ms.
 */
function report(roundTrips: RoundTrips, fromMs: number, queueOf: (i: number) => number, holdMs = 0): void {
  const received = Array.from({ length: 10 }, (_, i) => ({
    sentMs: fromMs + 10 * i,
    receivedMs: clockMs + fromMs + 10 * i + 25 + queueOf(i),
  }));
  roundTrips.add(received, received.at(-1)!.receivedMs - clockMs + holdMs + 25);
}

test('how long the receiver holds its report is no part of the round trip, once one came at once', () => {
  const roundTrips = start();
  report(roundTrips, 0, () => 0, 30);
  assert.equal(roundTrips.minMs, 80);
  report(roundTrips, 100, () => 0);
  assert.deepEqual([roundTrips.minMs, roundTrips.standingMs], [50, 50]);
  report(roundTrips, 200, () => 7, 60);
  assert.deepEqual([roundTrips.minMs, roundTrips.standingMs], [50, 57]);
});

test('the standing round trip is the shortest of 40 ms where half a round trip is less', () => {
  const roundTrips = start();
  // queues of 0, 3, 6 ... 27 ms: the last 40 ms of arrivals begin with a queue of 18 ms
  report(roundTrips, 0, i => 3 * i);
  assert.deepEqual([roundTrips.minMs, roundTrips.standingMs], [50, 68]);
});

test('... and of half a round trip where that is more', () => {
  const roundTrips = start();
  for (let i = 0; i < 20; i++) report(roundTrips, 100 * i, () => 150);
  // smoothed nearly 200 ms, so the window is nearly 100; the last packet with a queue of 140 ms arrives 60 ms before
  // the end
  report(roundTrips, 2000, i => (i < 5 ? 140 : 150));
  assert.equal(roundTrips.standingMs, 50 + 140);
});

test('the minimum is forgotten after its window', () => {
  const roundTrips = start();
  report(roundTrips, 0, () => 0);
  for (let i = 1; i <= 99; i++) report(roundTrips, 100 * i, () => 20);
  assert.equal(roundTrips.minMs, 50);
  for (let i = 100; i <= 102; i++) report(roundTrips, 100 * i, () => 20);
  assert.equal(roundTrips.minMs, 70);
});

test('the loop lasts until the report arrives', () => {
  const roundTrips = start();
  for (let i = 0; i < 30; i++) report(roundTrips, 100 * i, () => 0);
  // the report comes 140 ms after its oldest packet, 50 ms after its newest
  assert.equal(roundTrips.longestLoopMs, 140);
  assert.ok(roundTrips.loopMs > 50 && roundTrips.loopMs < 140, `${roundTrips.loopMs}`);
});

test('nearly empty: once in five loops at a tenth of the longest queue, or less', () => {
  const roundTrips = start();
  report(roundTrips, 0, () => 0);
  assert.ok(roundTrips.isNearlyEmpty, 'an empty queue');
  for (let i = 1; i <= 15; i++) report(roundTrips, 100 * i, k => (k === 5 ? 20 : 200));
  assert.ok(roundTrips.isNearlyEmpty, 'a tenth at times');
  for (let i = 16; i <= 40; i++) report(roundTrips, 100 * i, k => (k === 5 ? 21 : 200));
  assert.ok(!roundTrips.isNearlyEmpty, 'never less than a little more than a tenth');
  report(roundTrips, 4100, () => 0);
  assert.ok(roundTrips.isNearlyEmpty, 'empty again');
});

test("a jump of the receiver's clock leaves round trips of 1 ms or more", () => {
  const roundTrips = start();
  report(roundTrips, 0, () => 0);
  roundTrips.add([{ sentMs: 100, receivedMs: clockMs - 60e3 }], 150);
  assert.ok(roundTrips.minMs >= 1 && roundTrips.standingMs >= 1);
});
