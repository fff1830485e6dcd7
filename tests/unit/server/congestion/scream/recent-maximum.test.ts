import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../core/random.ts';
import { RecentMaximum } from '../../../../../server/congestion/scream/recent-maximum.ts';

test('the largest of the window, as a search through all values finds it', () => {
  const random = seededRandom(3);
  const maximum = new RecentMaximum(5000);
  const all: { value: number; atMs: number }[] = [];
  for (let nowMs = 0; nowMs < 60_000; nowMs += Math.floor(random.next() * 400)) {
    const value = Math.floor(random.next() * 1000);
    maximum.add(value, nowMs);
    all.push({ value, atMs: nowMs });
    assert.equal(
      maximum.value,
      Math.max(...all.filter(({ atMs }) => nowMs - atMs <= 5000).map(entry => entry.value)),
      `at ${nowMs}`,
    );
  }
});

test('0 before the first value; the newest stays', () => {
  const maximum = new RecentMaximum(1000);
  assert.equal(maximum.value, 0);
  maximum.add(7, 0);
  assert.equal(maximum.value, 7);
});
