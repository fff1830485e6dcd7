import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueDelay } from '../../../../../server/congestion/nada/queue-delay.ts';

const queueDelay = (filterSamples = 3) => new QueueDelay({ historyMs: 10 * 60e3, filterSamples });

test('the delay over the shortest one, whatever the receiver\'s clock says', () => {
  for (const offsetMs of [0, 1e9, -1e9]) {
    const delay = queueDelay(1);
    assert.deepEqual([25, 40, 20, 20.25].map((oneWayMs, i) => delay.add(offsetMs + oneWayMs, i).rawMs), [0, 15, 0, 0.25]);
  }
});

test('the filter gives the shortest of the last samples', () => {
  const delay = queueDelay();
  assert.deepEqual([20, 25, 30, 35, 60, 21].map((oneWayMs, i) => delay.add(oneWayMs, i).filteredMs), [0, 0, 0, 5, 10, 1]);
});

test('a base delay is forgotten after ten minutes, not before', () => {
  const delay = queueDelay(1);
  delay.add(20, 0);
  for (let minute = 1; minute <= 9; minute++) assert.equal(delay.add(50, minute * 60e3 + 59e3).rawMs, 30);
  assert.equal(delay.add(50, 10 * 60e3).rawMs, 0);
});

test('over a time without packets as well', () => {
  const delay = queueDelay(1);
  delay.add(20, 0);
  assert.equal(delay.add(50, 3600e3).rawMs, 0);
});
