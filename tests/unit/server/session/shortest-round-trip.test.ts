import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShortestRoundTrip } from '../../../../server/session/shortest-round-trip.ts';

test('the shortest of the last ten seconds', () => {
  const shortest = new ShortestRoundTrip();
  assert.equal(shortest.ms(0), undefined);
  for (const [timeMs, rttMs] of [[0, 50], [1000, 80], [2000, 60], [3000, 90]] as const) shortest.add(timeMs, rttMs);
  assert.deepEqual([3000, 9999, 10_000, 12_000, 13_000].map(nowMs => shortest.ms(nowMs)), [50, 50, 60, 90, undefined]);
});
