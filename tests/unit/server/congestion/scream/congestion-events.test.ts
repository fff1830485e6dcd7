import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CongestionEvents } from '../../../../../server/congestion/scream/congestion-events.ts';

test('losses and marks are one event per round trip', () => {
  const events = new CongestionEvents();
  assert.equal(events.onFeedback(0, 0, 100, 0), undefined);
  assert.equal(events.onFeedback(3, 0, 100, 10), 'loss');
  assert.equal(events.onFeedback(1, 0, 100, 109), undefined);
  assert.equal(events.onFeedback(0, 1, 100, 109), undefined);
  assert.equal(events.onFeedback(0, 1, 100, 110), 'ecn');
  assert.equal(events.onFeedback(1, 0, 100, 210), 'loss');
});

test('a loss outweighs a mark', () => {
  assert.equal(new CongestionEvents().onFeedback(1, 5, 100, 0), 'loss');
});
