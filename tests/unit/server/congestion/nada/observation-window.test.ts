import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObservationWindow } from '../../../../../server/congestion/nada/observation-window.ts';

const packet = (sentMs: number, delayMs: number | null, isMarked = false) => ({ sentMs, delayMs, isMarked });

test('the share that was lost, of what was sent within the window', () => {
  const window = new ObservationWindow(500);
  assert.equal(window.lossRatio, 0);
  window.add([packet(0, null), packet(100, 5), packet(200, 5), packet(499, 5)]);
  assert.equal(window.lossRatio, 0.25);
  window.add([packet(500, 5)]);
  assert.equal(window.lossRatio, 0);
});

test('clear is a window without loss in which every delay is shorter', () => {
  const window = new ObservationWindow(500);
  window.add([packet(0, 9.9), packet(10, 3)]);
  assert.ok(window.isClear(10));
  window.add([packet(20, 10)]);
  assert.ok(!window.isClear(10));
  window.add([packet(520, 1)]);
  assert.ok(window.isClear(10));
  window.add([packet(530, null)]);
  assert.ok(!window.isClear(10));
});

test('the share that was marked', () => {
  const window = new ObservationWindow(500);
  assert.equal(window.markRatio, 0);
  window.add([packet(0, 5, true), packet(100, 5), packet(200, null), packet(300, 5)]);
  assert.equal(window.markRatio, 0.25);
});
