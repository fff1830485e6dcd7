import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearMs, orEarlier, plannedTimes, sampleTimes } from '../../../../harness/trial/sample-times.ts';

function times(...of: Parameters<typeof sampleTimes>): number[] {
  const { startMs, betweenMs, endMs } = sampleTimes(...of);
  return [startMs, ...betweenMs, endMs];
}

test('a window is read each second, and at both ends', () => {
  assert.deepEqual(times(3000, []), [0, 1000, 2000, 3000]);
  assert.deepEqual(times(2500, []), [0, 1000, 2000, 2500]);
});

test('a reading moves away from what begins or ends by plan, and keeps inside its second', () => {
  const planned = plannedTimes([
    { startMs: 0, stopMs: 10_000 },
    { startMs: null, stopMs: 4950 },
    { startMs: 7050, stopMs: null },
  ]);
  assert.deepEqual(planned, [0, 10_000, 4950, 7050]);
  assert.deepEqual(times(10_000, planned), [100, 1000, 2000, 3000, 4000, 5050, 6000, 7150, 8000, 9000, 10_100]);
  // no reading between the ends moves past the end of the window
  assert.deepEqual(times(5100, [5000]), [0, 1000, 2000, 3000, 4000, 4900, 5100]);
  assert.equal(orEarlier(-150, [-100]), -200);
});

test('where applications begin one after another, readings are in the middle between two', () => {
  const crowd = Array.from({ length: 30 }, (_, k) => k * 150);
  const all = times(6000, crowd);
  assert.deepEqual(
    all,
    all.toSorted((a, b) => a - b),
  );
  for (const timeMs of all.slice(0, 5))
    assert.ok(
      crowd.every(plannedMs => Math.abs(plannedMs - timeMs) >= 50),
      `${timeMs} ms`,
    );
  assert.ok(all.slice(5).every(timeMs => crowd.every(plannedMs => Math.abs(plannedMs - timeMs) >= clearMs)));
});

test('a window without end is read without end, as often as it is asked for', () => {
  const { startMs, betweenMs, endMs } = sampleTimes(Infinity, [530], 250);
  const first = Iterator.from(betweenMs).take(5).toArray();
  // a reading moves by less than half of the interval
  assert.deepEqual([startMs, first, endMs], [0, [250, 400, 750, 1000, 1250], Infinity]);
});
