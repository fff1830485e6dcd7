import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LossReport,
  Recovery,
  type RecoveryOptions,
} from '../../../../../server/congestion/webrtc-bbr/recovery.ts';

const minWindowBytes = 5840;
const quiet: LossReport = { lastAcked: 10, lastSent: 20, hasLosses: false, isRoundStart: false, isStartup: false };

/** A recovery started by a loss, with 30 kB in flight and 2 kB acknowledged. */
function started(options: Partial<RecoveryOptions> = {}, report: Partial<LossReport> = {}): Recovery {
  const recovery = new Recovery({ isOn: true, startupState: 'conservation', minWindowBytes, ...options });
  assert.equal(recovery.onReport({ ...quiet, hasLosses: true, ...report }), true, 'the round starts anew');
  recovery.updateWindow(2000, 1000, 30_000);
  return recovery;
}

test('without losses there is no recovery and no limit', () => {
  const recovery = new Recovery({ isOn: true, startupState: 'conservation', minWindowBytes });
  assert.equal(recovery.onReport(quiet), false);
  recovery.updateWindow(2000, 0, 30_000);
  assert.equal(recovery.state, 'none');
  assert.equal(recovery.windowBytes, Infinity);
});

test('the first loss: conservation, with what is in flight and was acknowledged as the window', () => {
  const recovery = started();
  assert.equal(recovery.state, 'conservation');
  assert.equal(recovery.windowBytes, 32_000);
});

test('the first window is not below the lowest', () => {
  const recovery = new Recovery({ isOn: true, startupState: 'conservation', minWindowBytes });
  recovery.onReport({ ...quiet, hasLosses: true });
  recovery.updateWindow(0, 40_000, 0);
  assert.equal(recovery.windowBytes, minWindowBytes);
});

test('conservation: losses are taken off, what is acknowledged is not added', () => {
  const recovery = started();
  recovery.onReport({ ...quiet, hasLosses: true });
  recovery.updateWindow(2000, 5000, 20_000);
  assert.equal(recovery.windowBytes, 27_000);
});

test('growth, from the next round on: what is acknowledged is added', () => {
  const recovery = started();
  assert.equal(recovery.onReport({ ...quiet, hasLosses: true, isRoundStart: true }), false);
  assert.equal(recovery.state, 'growth');
  recovery.updateWindow(2000, 5000, 20_000);
  assert.equal(recovery.windowBytes, 29_000);
});

test('medium growth, where a loss in STARTUP leads there: half of it', () => {
  const recovery = started({ startupState: 'medium-growth' }, { isStartup: true });
  assert.equal(recovery.state, 'medium-growth');
  recovery.updateWindow(2000, 5000, 20_000);
  assert.equal(recovery.windowBytes, 28_000);
  assert.equal(started({ startupState: 'medium-growth' }).state, 'conservation', 'not outside of STARTUP');
});

test('the window never stops what feedback has made room for, and never falls below the lowest', () => {
  const recovery = started();
  recovery.updateWindow(2000, 20_000, 29_000);
  assert.equal(recovery.windowBytes, 31_000);
  recovery.updateWindow(0, 100_000, 0);
  assert.equal(recovery.windowBytes, minWindowBytes);
});

test('it ends with a report that has no loss and acknowledges a packet sent after the last loss', () => {
  const recovery = started();
  recovery.onReport({ ...quiet, lastAcked: 20 });
  assert.equal(recovery.state, 'conservation', 'packet 20 was in flight at the loss');
  recovery.onReport({ ...quiet, lastAcked: 30, lastSent: 40, hasLosses: true });
  recovery.onReport({ ...quiet, lastAcked: 40, lastSent: 50 });
  assert.equal(recovery.state, 'conservation', 'a later loss has put it off');
  recovery.onReport({ ...quiet, lastAcked: 41, lastSent: 50 });
  assert.equal(recovery.state, 'none');
  assert.equal(recovery.windowBytes, Infinity);
});

test('switched off it stays out, whatever is lost', () => {
  const recovery = new Recovery({ isOn: false, startupState: 'conservation', minWindowBytes });
  assert.equal(recovery.onReport({ ...quiet, hasLosses: true }), false);
  recovery.updateWindow(0, 30_000, 0);
  assert.equal(recovery.state, 'none');
  assert.equal(recovery.windowBytes, Infinity);
});
