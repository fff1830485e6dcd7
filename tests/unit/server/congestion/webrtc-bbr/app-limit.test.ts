import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppLimit } from '../../../../../server/congestion/webrtc-bbr/app-limit.ts';

/** 1000 bytes need 8 ms. */
const pacingBps = 1e6;

test("packets at the pacing rate, or ahead of it, are not the application's limit", () => {
  const limit = new AppLimit();
  assert.equal(limit.onSent(0, 1000, pacingBps, false), false, 'the first');
  for (let i = 1; i < 10; i++) assert.equal(limit.onSent(8 * i, 1000, pacingBps, false), false);
  for (let i = 0; i < 10; i++) assert.equal(limit.onSent(80, 1000, pacingBps, false), false);
  // Eleven packets since 72: paced out at 160.
  assert.equal(limit.onSent(160, 1000, pacingBps, false), false);
});

test('a packet more than 5 ms later than it could have left is', () => {
  for (const [lateMs, isLimited] of [
    [5, false],
    [5.1, true],
  ] as const) {
    const limit = new AppLimit();
    limit.onSent(0, 1000, pacingBps, false);
    assert.equal(limit.onSent(8 + lateMs, 1000, pacingBps, false), isLimited);
  }
});

test('waiting for a full window is not; the wait ends with feedback', () => {
  const limit = new AppLimit();
  limit.onSent(0, 1000, pacingBps, true);
  limit.onFeedback(500);
  assert.equal(limit.onSent(505, 1000, pacingBps, true), false);
  limit.onFeedback(600);
  assert.equal(limit.onSent(605.1, 1000, pacingBps, false), true);
});
