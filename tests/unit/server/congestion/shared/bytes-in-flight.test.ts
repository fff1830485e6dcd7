import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesInFlight } from '../../../../../server/congestion/shared/bytes-in-flight.ts';

test('a message acks what it takes out of flight, packets of lost reports included', () => {
  const flight = new BytesInFlight();
  for (const bytes of [1000, 2000, 3000]) flight.onSent(bytes);
  assert.equal(flight.bytes, 3000);
  assert.equal(flight.onFeedback(500), 2500);
  assert.equal(flight.bytes, 500);
  assert.equal(flight.onFeedback(500), 0);
});

test('what grew without a packet acks nothing', () => {
  const flight = new BytesInFlight();
  assert.equal(flight.onFeedback(700), 0);
  assert.equal(flight.bytes, 700);
});
