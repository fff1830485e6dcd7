import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObservationWindow } from '../../../../../server/congestion/nada/observation-window.ts';

test('the share that was lost, of what was sent within the window', () => {
  const window = new ObservationWindow(500);
  assert.equal(window.lossRatio, 0);
  window.add([{ sentMs: 0, delayMs: null }, { sentMs: 100, delayMs: 5 }, { sentMs: 200, delayMs: 5 }, { sentMs: 499, delayMs: 5 }]);
  assert.equal(window.lossRatio, 0.25);
  window.add([{ sentMs: 500, delayMs: 5 }]);
  assert.equal(window.lossRatio, 0);
});

test('clear is a window without loss in which every delay is shorter', () => {
  const window = new ObservationWindow(500);
  window.add([{ sentMs: 0, delayMs: 9.9 }, { sentMs: 10, delayMs: 3 }]);
  assert.ok(window.isClear(10));
  window.add([{ sentMs: 20, delayMs: 10 }]);
  assert.ok(!window.isClear(10));
  window.add([{ sentMs: 520, delayMs: 1 }]);
  assert.ok(window.isClear(10));
  window.add([{ sentMs: 530, delayMs: null }]);
  assert.ok(!window.isClear(10));
});
