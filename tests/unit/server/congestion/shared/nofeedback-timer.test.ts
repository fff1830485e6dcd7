import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NofeedbackTimer } from '../../../../../server/congestion/shared/nofeedback-timer.ts';

test('before the first round trip 2 s, then four round trips, but never less than two report intervals of 250 ms', () => {
  const timer = new NofeedbackTimer();
  assert.equal(timer.timeoutMs, 2000);
  timer.onFeedback(0, undefined, 0);
  assert.equal(timer.timeoutMs, 2000);
  timer.onFeedback(0, 50, 0);
  assert.equal(timer.timeoutMs, 500);
  timer.onFeedback(0, 200, 0);
  assert.equal(timer.timeoutMs, 800);
  timer.onFeedback(0, undefined, 0);
  assert.equal(timer.timeoutMs, 800);
});

test('it expires with every timeout of silence', () => {
  const timer = new NofeedbackTimer();
  timer.onSent(100);
  timer.onSent(1900);
  assert.equal(timer.expires(2099), false);
  assert.equal(timer.expires(2100), true);
  assert.equal(timer.expires(2101), false);
  assert.equal(timer.expires(4100), true);
});

test('while nothing is under way it does not run', () => {
  const timer = new NofeedbackTimer();
  assert.equal(timer.expires(60e3), false);
  timer.onSent(60e3);
  timer.onFeedback(60_100, 50, 0);
  assert.equal(timer.expires(90e3), false);
  timer.onSent(90e3);
  assert.equal(timer.expires(90_499), false);
  assert.equal(timer.expires(90_500), true);
});

test('a report starts it anew where more is under way', () => {
  const timer = new NofeedbackTimer();
  timer.onSent(0);
  timer.onFeedback(400, 50, 1);
  assert.equal(timer.expires(899), false);
  assert.equal(timer.expires(900), true);
});
