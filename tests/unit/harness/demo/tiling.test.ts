import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tile } from '../../../../harness/demo/tiling.ts';

test('on a screen of 1080 lines two whole videos stand above the controls', () => {
  assert.deepEqual(tile({ left: 0, top: 0, width: 1920, height: 1080 }), {
    harmed: { left: 0, top: 0, width: 960, height: 540 },
    unharmed: { left: 960, top: 0, width: 960, height: 540 },
    controls: { left: 0, top: 540, width: 1920, height: 540 },
  });
});

test('whatever the screen, the windows fill it and do not cover each other', () => {
  for (const screen of [
    { left: 70, top: 32, width: 1295, height: 736 },
    { left: 0, top: 0, width: 1080, height: 1920 },
    { left: -1920, top: 0, width: 5120, height: 1440 },
  ]) {
    const { harmed, unharmed, controls } = tile(screen);
    assert.equal(harmed.left + harmed.width, unharmed.left);
    assert.equal(unharmed.left + unharmed.width, screen.left + screen.width);
    assert.equal(harmed.height, unharmed.height);
    assert.equal(harmed.top + harmed.height, controls.top);
    assert.equal(controls.top + controls.height, screen.top + screen.height);
    assert.ok(controls.height >= screen.height / 2);
  }
});
