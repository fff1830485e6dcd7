import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gapsInWindow } from '../../../../../harness/analysis/derive/presentation.ts';
import { harmonicRate, lowRate, plugin } from '../../../../../harness/analysis/metrics/frame-rate/index.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, presented, presentedAt, startMs, stats, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const rounded = (values: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, value === null ? null : Math.round(value)]));
const measured = async (record: TrialRecord) => {
  const {
    'decoded-frame-rate': decoded,
    'frame-rate': presentedRate,
    'frame-gap-max': gap,
  } = await plugin.compute(record);
  return { 'decoded-frame-rate': decoded, 'frame-rate': presentedRate, 'frame-gap-max': gap };
};

test("decoded by the browser's counter, presented by its callbacks", async () => {
  const record = writeRecord(join(folder, 'a'), {
    // 590 decoded frames, and half of the 20 frames between the last two readings
    stats: [
      stats(startMs, { framesDecoded: 100 }),
      stats(endMs - 500, { framesDecoded: 690 }),
      stats(endMs + 500, { framesDecoded: 710 }),
    ],
    'frames.presented': presentedAt([
      startMs - 20,
      startMs,
      ...every(20, startMs + 20, 13_000),
      ...every(20, 13_160, endMs - 20),
      endMs + 20,
    ]),
  });
  // the frame at the window's start counts as before the window; 7 frames and the frame at the window's end are missing
  assert.deepEqual(await measured(record), {
    'decoded-frame-rate': (590 + 10) / 10,
    'frame-rate': (500 - 7 - 1) / 10,
    'frame-gap-max': 160,
  });
});

test('frames that the callbacks missed are presented all the same, and the gap is the longest that this allows', async () => {
  const record = writeRecord(join(folder, 'missed'), {
    'frames.presented': [presented(startMs, 1), presented(startMs + 5000, 251), presented(endMs, 501)],
  });
  // the 249 unseen frames take a display period each, or are spread evenly, because hold-ups of the page are unknown
  assert.deepEqual(rounded(await plugin.compute(record)), {
    'decoded-frame-rate': null,
    'frame-rate': 50,
    'frame-gap-max': 850,
    'frame-gap-max-least': 20,
    'frame-rate-harmonic': 6,
    'frame-rate-low': 3,
  });
});

test('a punctual page leaves a gap with an unseen frame two near bounds', async () => {
  const record = writeRecord(join(folder, 'punctual'), {
    'frames.presented': [
      ...every(20, startMs - 100, startMs + 1000).map((timeMs, i) => presented(timeMs, i + 1)),
      ...every(20, startMs + 1240, endMs).map((timeMs, i) => presented(timeMs, 58 + i)),
    ],
    page: every(1000, startMs + 1000, endMs).map(timeMs => ({ timeMs, mainThreadDelayMaxMs: 5, visible: true })),
  });
  const { 'frame-gap-max': most, 'frame-gap-max-least': least } = rounded(await plugin.compute(record));
  assert.deepEqual([least, most], [218, 223]);
});

test('without frames there is no rate and no gap', async () => {
  assert.deepEqual(await measured(writeRecord(join(folder, 'none'), {})), {
    'decoded-frame-rate': null,
    'frame-rate': null,
    'frame-gap-max': null,
  });
});

/** Returns the harmonic and the low rate of frames at these times in a window of one second. */
const ratesOf = (times: number[]) => {
  const gaps = gapsInWindow(times, { startMs: 0, endMs: 1000 });
  return [harmonicRate(gaps), lowRate(gaps)].map(rate => (rate === null ? null : Number(rate.toFixed(9))));
};

test('an even stream has its rate in every view', () => {
  assert.deepEqual(ratesOf(every(20, -20, 1000)), [50, 50]);
});

test('the harmonic rate weighs each moment by its own rate', () => {
  // half a second with gaps of 50 ms, half a second with gaps of 10 ms: mean 30 + 10 = 60 / 1 s: 1 / (0.5 / 20 + 0.5 /
  // 100)
  assert.deepEqual(
    ratesOf([...every(50, 0, 500), ...every(10, 510, 1000)])[0],
    Number((1 / (0.5 / 20 + 0.5 / 100)).toFixed(9)),
  );
  // a stop of half a second followed by quick frames: 500 ms at 2 a second, 500 ms at 100
  assert.deepEqual(ratesOf([0, ...every(10, 500, 1000)])[0], Number((1 / (0.5 / 2 + 0.5 / 100)).toFixed(9)));
});

test('a time that reaches into the window has the rate of its whole length', () => {
  assert.deepEqual(ratesOf([-500, 500, 1000])[0], Number((1 / (0.5 / 1 + 0.5 / 2)).toFixed(9)));
});

test('the low rate is that of the longest hundredth, at least of one', () => {
  assert.deepEqual(ratesOf([0, 100, ...every(20, 120, 1000)])[1], 10); // 46 times, the longest of which is 100 ms
  const slow = [0, 100, 180, ...every(4, 184, 1000)]; // 207 times: the two longest are 100 and 80 ms
  assert.equal(ratesOf(slow)[1], Number((1000 / 90).toFixed(9)));
});

test('no frames have no rates', () => {
  assert.deepEqual(ratesOf([]), [null, null]);
});
