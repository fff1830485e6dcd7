import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueDelay } from '../../../../../server/congestion/shared/queue-delay.ts';

/** Receiver's clock minus sender's clock. */
const offsetMs = 1e6;
const minuteMs = 60_000;

/** Takes a packet with a one-way delay of `oneWayMs`, sent and reported at `nowMs`. */
function take(delay: QueueDelay, oneWayMs: number, nowMs: number): number {
  delay.update(nowMs, nowMs + offsetMs + oneWayMs, nowMs);
  return delay.delayMs;
}

test('the queue delay is what is above the least one-way delay', () => {
  const delay = new QueueDelay();
  assert.deepEqual([delay.delayMs, delay.baseMs], [0, undefined]);
  assert.deepEqual(
    [30, 45, 25, 25, 60].map((oneWayMs, i) => take(delay, oneWayMs, i * 10)),
    [0, 15, 0, 0, 35],
  );
  assert.equal(delay.baseMs, offsetMs + 25);
});

test('a path that has become longer is the new base after ten minutes', () => {
  const delay = new QueueDelay();
  take(delay, 20, 0);
  for (let minute = 1; minute < 10; minute++) assert.equal(take(delay, 50, minute * minuteMs), 30, `minute ${minute}`);
  assert.equal(take(delay, 50, 10 * minuteMs), 0);
});

test('of each minute the least counts, and minutes without packets pass, too', () => {
  const delay = new QueueDelay();
  take(delay, 40, 0);
  take(delay, 20, 59_000);
  assert.equal(take(delay, 40, 9 * minuteMs + 59_000), 20);
  assert.equal(take(delay, 70, 10 * minuteMs), 30, 'the minute before holds 40');
  assert.equal(take(delay, 70, 30 * minuteMs), 0);
});
