import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watched } from '../../../../../harness/services/live-url/watched.ts';

const reading = (change: object) => ({
  area: 1,
  width: 640,
  height: 360,
  positionS: 1,
  bufferS: 2,
  stalls: 0,
  stalledMs: 0,
  openStallMs: 0,
  presentedFrames: 0,
  droppedFrames: 0,
  ...change,
});

test('counts go on from visit to visit', () => {
  const watched = new Watched();
  watched.add(reading({ stalls: 1, stalledMs: 500, presentedFrames: 100, droppedFrames: 3 }), 1000);
  watched.add(reading({ stalls: 2, stalledMs: 800, presentedFrames: 130, droppedFrames: 3 }), 2000);
  watched.next();
  const { stalls, stalledMs, presentedFrames, droppedFrames, framesPerSecond } = watched.add(
    reading({ stalls: 1, stalledMs: 100, presentedFrames: 10 }),
    9000,
  );
  assert.deepEqual([stalls, stalledMs, presentedFrames, droppedFrames, framesPerSecond], [3, 900, 140, 3, 0]);
});

test('a visit without any video leaves the account as it was', () => {
  const watched = new Watched();
  watched.add(reading({ presentedFrames: 7 }), 1000);
  watched.next();
  watched.next();
  assert.equal(watched.add(reading({ presentedFrames: 1 }), 5000).presentedFrames, 8);
});

test('frames a second between two readings; an element that counts anew gives none', () => {
  const watched = new Watched();
  assert.equal(watched.add(reading({ presentedFrames: 10 }), 1000).framesPerSecond, 0);
  assert.equal(watched.add(reading({ presentedFrames: 70 }), 3000).framesPerSecond, 30);
  assert.equal(watched.add(reading({ presentedFrames: 5 }), 4000).framesPerSecond, 0);
});
