import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { heldUpMs, presentedPerBin, presentedTimes } from '../../../../../harness/analysis/derive/presented-times.ts';
import { stallsOf } from '../../../../../harness/analysis/derive/stalls.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every as evenly, presented, presentedAt, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const page = (...delaysMs: number[]) =>
  delaysMs.map((mainThreadDelayMaxMs, i) => ({
    timeMs: startMs + (i + 1) * 1000,
    mainThreadDelayMaxMs,
    visible: true,
  }));
const every = (stepMs: number, fromMs: number, toMs: number) =>
  Float64Array.from({ length: Math.floor((toMs - fromMs) / stepMs) }, (_, i) => fromMs + i * stepMs);

test('a page tells what it was held up at most', () => {
  assert.equal(heldUpMs(startMs + 100, startMs + 500, page(3), every(50, startMs, startMs + 1000)), 3);
  assert.equal(heldUpMs(startMs + 100, startMs + 500, page(390), every(50, startMs, startMs + 1000)), 390);
});

test('a browser that is held up and silent was held up', () => {
  const feedbacks = Float64Array.from([
    ...every(50, startMs, startMs + 110),
    ...every(50, startMs + 480, startMs + 1000),
  ]);
  assert.equal(heldUpMs(startMs + 100, startMs + 500, page(390), feedbacks), 0);
});

test("a page's second that began or ended in between counts; others do not", () => {
  assert.equal(heldUpMs(startMs + 900, startMs + 1200, page(3, 250, 4), Float64Array.of()), 250);
  assert.equal(heldUpMs(startMs + 900, startMs + 1200, page(250, 3, 4), Float64Array.of()), 250);
  assert.equal(heldUpMs(startMs + 900, startMs + 1200, page(3, 4, 999), Float64Array.of()), 4);
});

test('a time that no page tells of is not known', () => {
  assert.equal(heldUpMs(startMs + 100, startMs + 500, [], Float64Array.of()), undefined);
});

test('an outage whose frames one callback counts is a stall', async () => {
  const frames = [
    ...Array.from({ length: 50 }, (_, i) => presented(startMs + i * 20, i + 1)),
    ...Array.from({ length: 427 }, (_, i) => presented(startMs + 1480 + i * 20, 75 + i)),
  ];
  const outage = writeRecord(join(folder, 'outage'), { 'frames.presented': frames, page: page(5, 6) });
  // 500 ms; the 24 frames without a callback lie in the last 6 ms and one display period
  assert.deepEqual(
    (await stallsOf(outage)).map(({ lengthMs, bounds }) => [Math.round(lengthMs), bounds]),
    [[477, undefined]],
  );
  assert.equal((await presentedTimes(outage)).length, 501);
  const heldUp = writeRecord(join(folder, 'held-up'), { 'frames.presented': frames, page: page(5, 480) });
  assert.deepEqual(await stallsOf(heldUp), []);
});

test('a stall that a late callback hides is one', async () => {
  // 205 ms without a frame, then a frame that is only counted by the callback 30 ms later
  const frames = [
    ...Array.from({ length: 50 }, (_, i) => presented(startMs + i * 20, i + 1)),
    ...Array.from({ length: 441 }, (_, i) => presented(startMs + 980 + 235 + i * 20, 52 + i)),
  ];
  const record = writeRecord(join(folder, 'hidden'), { 'frames.presented': frames, page: page(5, 30) });
  assert.deepEqual(
    (await stallsOf(record)).map(({ lengthMs, bounds }) => [lengthMs, bounds!.leastMs, bounds!.mostMs].map(Math.round)),
    [[218, 188, 218]],
  );
});

test('frames per second in each bin', async () => {
  // 50 frames a second, but none from 12 s to 14 s
  const times = [...evenly(20, startMs - 100, 11_980), ...evenly(20, 14_000, endMs + 200)];
  const record = writeRecord(join(folder, 'a'), { 'frames.presented': presentedAt(times) });
  assert.deepEqual(await presentedPerBin(record, 1000), [50, 50, 0, 0, 50, 50, 50, 50, 50, 50]);
});
