import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearMs, orEarlier, plannedTimes, sampleTimes } from '../../../../harness/runner/sample-times.ts';

test('a window is read each second, and at both ends', () => {
  assert.deepEqual(sampleTimes(3000, []), [0, 1000, 2000, 3000]);
  assert.deepEqual(sampleTimes(2500, []), [0, 1000, 2000, 2500]);
});

test('a reading moves away from what begins or ends by plan, and keeps inside its second', () => {
  const planned = plannedTimes([
    { startMs: 0, stopMs: 10_000 },
    { startMs: null, stopMs: 4950 },
    { startMs: 7050, stopMs: null },
  ]);
  assert.deepEqual(planned, [0, 10_000, 4950, 7050]);
  assert.deepEqual(sampleTimes(10_000, planned), [100, 1000, 2000, 3000, 4000, 5050, 6000, 7150, 8000, 9000, 10_100]);
  // nothing is read behind the end of the window but what is read of the end itself
  assert.deepEqual(sampleTimes(5100, [5000]), [0, 1000, 2000, 3000, 4000, 4900, 5100]);
  assert.equal(orEarlier(-150, [-100]), -200);
});

test('where applications begin one after another, readings are in the middle between two', () => {
  const crowd = Array.from({ length: 30 }, (_, k) => k * 150);
  const times = sampleTimes(6000, crowd);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  for (const timeMs of times.slice(0, 5))
    assert.ok(
      crowd.every(plannedMs => Math.abs(plannedMs - timeMs) >= 50),
      `${timeMs} ms`,
    );
  assert.ok(times.slice(5).every(timeMs => crowd.every(plannedMs => Math.abs(plannedMs - timeMs) >= clearMs)));
});
