import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMs, presentedTimes } from '../../../../harness/derive/presented-times.ts';
import { stallsOf } from '../../../../harness/derive/stalls.ts';
import { temporaryFolder } from '../support/folder.ts';
import { presented, startMs, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();
const page = (...delaysMs: number[]) => delaysMs.map((mainThreadDelayMaxMs, i) => ({ timeMs: startMs + (i + 1) * 1000, mainThreadDelayMaxMs, visible: true }));
const every = (stepMs: number, fromMs: number, toMs: number) => Float64Array.from({ length: Math.floor((toMs - fromMs) / stepMs) }, (_, i) => fromMs + i * stepMs);

test('a punctual page misses pictures only shortly before its callback', () => {
  assert.equal(openMs(startMs + 100, startMs + 500, page(3), every(50, startMs, startMs + 1000)), 100);
  assert.equal(openMs(startMs + 100, startMs + 500, page(3), Float64Array.of()), 100);
});

test('while the page is held up pictures are shown without it', () => {
  assert.equal(openMs(startMs + 100, startMs + 500, page(390), every(50, startMs, startMs + 1000)), 390);
});

test('a browser that is held up and silent stood still', () => {
  const feedbacks = Float64Array.from([...every(50, startMs, startMs + 110), ...every(50, startMs + 480, startMs + 1000)]);
  assert.equal(openMs(startMs + 100, startMs + 500, page(390), feedbacks), 100);
});

test('a page\'s second that began or ended in between counts; others do not', () => {
  assert.equal(openMs(startMs + 900, startMs + 1200, page(3, 250, 4), Float64Array.of()), 250);
  assert.equal(openMs(startMs + 900, startMs + 1200, page(250, 3, 4), Float64Array.of()), 250);
  assert.equal(openMs(startMs + 900, startMs + 1200, page(3, 4, 999), Float64Array.of()), 100);
});

test('short times, and times that no page tells of, are open as a whole', () => {
  assert.equal(openMs(startMs + 100, startMs + 240, page(3), Float64Array.of()), 140);
  assert.equal(openMs(startMs + 100, startMs + 500, [], Float64Array.of()), 400);
});

test('an outage whose pictures one callback counts is a stall', async () => {
  const frames = [...Array.from({ length: 50 }, (_, i) => presented(startMs + i * 20, i + 1)), ...Array.from({ length: 427 }, (_, i) => presented(startMs + 1480 + i * 20, 75 + i))];
  const outage = writeRecord(join(folder, 'outage'), { 'frames.presented': frames, 'page': page(5, 6) });
  assert.deepEqual((await stallsOf(outage)).map(({ lengthMs }) => Math.round(lengthMs)), [404]); // 500 ms; the first of 25 pictures in the last 100 comes after 4
  assert.equal((await presentedTimes(outage)).length, 501);
  const heldUp = writeRecord(join(folder, 'held-up'), { 'frames.presented': frames, 'page': page(5, 480) });
  assert.deepEqual(await stallsOf(heldUp), []);
});
