import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaShare } from '../../../../server/session/media-share.ts';

const sent = (payloadBytes: number, wireBytes: number, mediaPackets = 0) => ({ payloadBytes, wireBytes, mediaPackets });

test('before anything was sent the share is that of full packets with the largest headers', () => {
  assert.equal(new MediaShare().update(0, sent(0, 0)), 1160 / 1264);
});

test('the share is payload over wire of the last second', () => {
  const share = new MediaShare();
  share.update(0, sent(0, 0));
  assert.equal(share.update(500, sent(900, 1000)), 0.9);
  assert.equal(share.update(1000, sent(1700, 2000)), 0.85);
  // the window is now 500 to 1500 ms: 800 + 600 of 1000 + 1000
  assert.equal(share.update(1500, sent(2300, 3000)), 0.7);
});

test('each packet of media is taken for 24 bytes longer', () => {
  const share = new MediaShare();
  share.update(0, sent(0, 0));
  assert.equal(share.update(1000, sent(9000, 9760, 10)), 0.9);
});

test('between two samples, and in silence, it stays', () => {
  const share = new MediaShare();
  share.update(0, sent(0, 0));
  share.update(200, sent(800, 1000));
  assert.equal(share.update(250, sent(800, 2000)), 0.8);
  assert.equal(share.update(5000, sent(800, 1000)), 0.8);
});

test('repair never takes more than half', () => {
  const share = new MediaShare();
  share.update(0, sent(0, 0));
  assert.equal(share.update(1000, sent(100, 1000)), 0.5);
});
