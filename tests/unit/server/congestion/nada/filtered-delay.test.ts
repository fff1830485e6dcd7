import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FilteredDelay } from '../../../../../server/congestion/nada/filtered-delay.ts';

test('the delay over the shortest one, and the shortest of the last samples', () => {
  for (const clockMs of [0, 1e9, -1e9]) {
    const delay = new FilteredDelay(3);
    const samples = [20, 25, 30, 35, 60, 21].map((oneWayMs, i) =>
      delay.add(10 * i, clockMs + 10 * i + oneWayMs, 10 * i + 50),
    );
    assert.deepEqual(
      samples.map(({ rawMs }) => rawMs),
      [0, 5, 10, 15, 40, 1],
    );
    assert.deepEqual(
      samples.map(({ filteredMs }) => filteredMs),
      [0, 0, 0, 5, 10, 1],
    );
  }
});
