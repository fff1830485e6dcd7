import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Acknowledgement, CongestionWindow } from '../../../../../server/congestion/scream/congestion-window.ts';
import { near } from '../gcc/near.ts';

const params = { minWindow: 3000, lossBeta: 0.8, ecnBeta: 0.9 };

/** Acknowledgement for a window in full use, with a queue at half its target. */
const used: Acknowledgement = {
  ackedBytes: 2000,
  inFlightBytes: 1e6,
  queueDelayMs: 50,
  queueDelayTargetMs: 100,
  trend: 0,
};

/** Returns a window of `bytes` bytes, outside of fast increase mode, with room to grow. */
function windowOf(bytes: number): CongestionWindow {
  const window = new CongestionWindow({ ...params, lossBeta: 1 });
  window.onSent(1e6, 0);
  window.onAcknowledgement({ ...used, ackedBytes: bytes - params.minWindow }, 0);
  window.onCongestion('loss');
  assert.deepEqual([window.bytes, window.inFastIncrease], [bytes, false]);
  return window;
}

test('it starts at the minimum and grows by what is acked', () => {
  const window = new CongestionWindow(params);
  assert.deepEqual([window.bytes, window.inFastIncrease], [3000, true]);
  window.onAcknowledgement(used, 0);
  assert.equal(window.bytes, 5000);
});

test('a window that is not used does not grow: in flight x 1.5 and what was acked must be more', () => {
  const window = new CongestionWindow(params);
  window.onAcknowledgement({ ...used, ackedBytes: 1500, inFlightBytes: 1000 }, 0);
  assert.equal(window.bytes, 3000);
  window.onAcknowledgement({ ...used, ackedBytes: 1500, inFlightBytes: 1001 }, 0);
  assert.equal(window.bytes, 4500);
});

test('a trend of 0.2 ends fast increase mode; growth goes on as in LEDBAT', () => {
  const window = new CongestionWindow(params);
  window.onSent(20_000, 0);
  window.onAcknowledgement({ ...used, ackedBytes: 7000, trend: 0.19 }, 0);
  assert.deepEqual([window.bytes, window.inFastIncrease], [10_000, true]);
  window.onAcknowledgement({ ...used, trend: 0.2 }, 10);
  assert.equal(window.inFastIncrease, false);
  near(window.bytes, 10_000 + (0.5 * 2000 * 1000) / 10_000);
});

test('above the target the window shrinks by as much as it would grow as far below, used or not', () => {
  const window = windowOf(20_000);
  window.onAcknowledgement({ ...used, queueDelayMs: 180, inFlightBytes: 0, trend: 1 }, 10);
  near(window.bytes, 20_000 - (0.8 * 2000 * 1000) / 20_000);
});

test('below the target a window that is not used stays: in flight x 1.25 and what was acked', () => {
  const window = windowOf(20_000);
  window.onAcknowledgement({ ...used, inFlightBytes: 14_400, trend: 1 }, 10);
  assert.equal(window.bytes, 20_000);
  window.onAcknowledgement({ ...used, inFlightBytes: 14_401, trend: 1 }, 20);
  assert.ok(window.bytes > 20_000);
});

test('it is no more than a tenth above the most in flight of the last five seconds', () => {
  const window = windowOf(20_000);
  window.onSent(10_000, 5001);
  window.onAcknowledgement({ ...used, trend: 1 }, 5001);
  near(window.bytes, 11_000);
});

test('a loss leaves four fifths, a mark nine tenths, and never less than the minimum', () => {
  const window = new CongestionWindow(params);
  window.onAcknowledgement({ ...used, ackedBytes: 7000 }, 0);
  window.onCongestion('loss');
  near(window.bytes, 8000);
  window.onCongestion('ecn');
  near(window.bytes, 7200);
  for (let i = 0; i < 20; i++) window.onCongestion('loss');
  assert.deepEqual([window.bytes, window.inFastIncrease], [3000, false]);
});

test('fast increase mode is resumed when the trend has been low for five seconds', () => {
  const window = windowOf(20_000);
  window.onAcknowledgement(used, 1000);
  window.onAcknowledgement({ ...used, trend: 0.2 }, 3000);
  for (let nowMs = 3100; nowMs < 8100; nowMs += 100) {
    window.onAcknowledgement(used, nowMs);
    assert.equal(window.inFastIncrease, false, `at ${nowMs}`);
  }
  window.onAcknowledgement(used, 8100);
  assert.equal(window.inFastIncrease, true);
});

test('while the queue is short, a segment more may be in flight', () => {
  const window = new CongestionWindow(params);
  assert.equal(window.sendWindowBytes(100, 100), 4000);
  assert.equal(window.sendWindowBytes(101, 100), 3000);
});
