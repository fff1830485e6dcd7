import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaShare } from '../../../../server/session/media-share.ts';

test('before anything was sent the share is that of full packets', () => {
  assert.equal(new MediaShare().update(0, 0, 0), 1160 / 1240);
});

test('the share is payload over wire of the last second', () => {
  const share = new MediaShare();
  share.update(0, 0, 0);
  assert.equal(share.update(500, 900, 1000), 0.9);
  assert.equal(share.update(1000, 1700, 2000), 0.85);
  // the window is now 500 to 1500 ms: 800 + 600 of 1000 + 1000
  assert.equal(share.update(1500, 2300, 3000), 0.7);
});

test('between two samples, and in silence, it stays', () => {
  const share = new MediaShare();
  share.update(0, 0, 0);
  share.update(200, 800, 1000);
  assert.equal(share.update(250, 800, 2000), 0.8);
  assert.equal(share.update(5000, 800, 1000), 0.8);
});

test('repair never takes more than half', () => {
  const share = new MediaShare();
  share.update(0, 0, 0);
  assert.equal(share.update(1000, 100, 1000), 0.5);
});
