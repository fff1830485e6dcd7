/**
 * Tests that events after the window, above all the teardown, do not change any result.
 *
 * In the published artifact of the paper all stalled time of all phases lies in the seconds after the sender was
 * stopped, and these seconds enter the mean frame rate as rows of 0. The method is copied here to show that the method
 * would have the same effect on these records.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin as frameRate } from '../../../../../harness/analysis/metrics/frame-rate/index.ts';
import { plugin as freeze } from '../../../../../harness/analysis/metrics/freeze/index.ts';
import { plugin as stall } from '../../../../../harness/analysis/metrics/stall/index.ts';
import { presentedSeries } from '../../../../../harness/record/series/frames.presented.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, presentationTimes, presentedAt, startMs, stats, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
/** Time for which the file continues after the window, ms. */
const tailMs = 5000;

/** Returns times of fifty frames a second until `end`, with one stall of 300 ms. */
const until = (end: number) => [...every(20, startMs - 1000, 14_000), ...every(20, 14_300, end)];

function write(name: string, times: number[]): TrialRecord {
  const decodedBy = (time: number) => times.filter(other => other <= time).length;
  const readings = every(1000, startMs - 1000, endMs + tailMs).map(time =>
    stats(time, {
      framesDecoded: decodedBy(time),
      freezeCount: 1,
      totalFreezesDuration: 0.3,
      pauseCount: 0,
      totalPausesDuration: 0,
    }),
  );
  return writeRecord(join(folder, name), { 'frames.presented': presentedAt(times), stats: readings });
}

async function values(record: TrialRecord): Promise<Record<string, number | null>> {
  return Object.assign(
    {},
    ...(await Promise.all([stall, freeze, frameRate].map(metric => metric.compute(record)))),
  ) as Record<string, number | null>;
}

/**
 * Returns the rows that the paper's method computes: frames and stalled time of each second to the end of the file. A
 * stall in progress counts and begins anew in each second.
 */
async function paperRows(record: TrialRecord): Promise<{ framesPerSecond: number; stallMs: number }[]> {
  const times = presentationTimes(await record.read(presentedSeries));
  let lastMs = startMs;
  return every(1000, startMs, endMs + tailMs - 1000).map(from => {
    const inside = times.filter(time => time > from && time <= from + 1000);
    let stallMs = 0;
    const step = (to: number) => {
      if (to - lastMs > 200) stallMs += to - lastMs;
      lastMs = to;
    };
    inside.forEach(step);
    if (from + 1000 - lastMs > 200) step(from + 1000);
    return { framesPerSecond: inside.length, stallMs };
  });
}

const paperStallS = async (record: TrialRecord) =>
  (await paperRows(record)).reduce((sum, row) => sum + row.stallMs, 0) / 1000;
const paperFrameRate = async (record: TrialRecord) => {
  const rows = await paperRows(record);
  return rows.reduce((sum, row) => sum + row.framesPerSecond, 0) / rows.length;
};

const expected = {
  'stall-count': 1,
  'stall-time': 0.3,
  'stall-rate': 6,
  'stall-share': 0.03,
  'study-stall-count': 1,
  'study-stall-time': 0.3,
  'freeze-count': 1,
  'freeze-time': 0.3,
  'freeze-rate': 6,
  'freeze-share': 0.03,
  'freeze-unfinished': 0,
  'pause-count': 0,
  'pause-time': 0,
  'chromium-rule-freeze-count': 1,
  'chromium-freeze-count': 0,
  'chromium-freeze-time': 0,
  'chromium-pause-count': 0,
  'chromium-pause-time': 0,
  'frame-rate-harmonic': Number(((10_000 / (485 * 20 * 20 + 300 * 300)) * 1000).toFixed(9)),
  'frame-rate-low': Number((1000 / ((300 + 4 * 20) / 5)).toFixed(9)),
  'decoded-frame-rate': (500 - 14) / 10,
  'frame-rate': (500 - 14) / 10,
  'frame-gap-max': 300, // in 300 ms one frame was shown instead of 15
  'frame-gap-max-least': 300,
};

const records = {
  atTheEnd: write('at-the-end', until(endMs)),
  threeSecondsLater: write('three-seconds-later', until(endMs + 3000)),
  never: write('never', until(endMs + tailMs)),
};

test("frames that stop at the window's end, three seconds later, or never, give the same values", async () => {
  for (const [name, record] of Object.entries(records)) {
    const found = Object.fromEntries(
      Object.entries(await values(record)).map(([id, value]) => [id, value === null ? null : Number(value.toFixed(9))]),
    );
    assert.deepEqual(found, expected, name);
  }
});

test("the paper's method would have counted the teardown as stalled time", async () => {
  assert.equal(await paperStallS(records.never), 0.3);
  assert.equal(await paperStallS(records.threeSecondsLater), 0.3 + 2);
  assert.equal(await paperStallS(records.atTheEnd), 0.3 + 5);
});

test('and as frames that were not shown', async () => {
  assert.equal(await paperFrameRate(records.never), (15 * 50 - 14) / 15);
  assert.equal(await paperFrameRate(records.atTheEnd), (10 * 50 - 14) / 15);
});

test("a stall that begins in the window and outlives it counts up to the window's end, however it goes on", async () => {
  const times = until(endMs - 500);
  const variants = [
    write('gone', times),
    write('back-soon', [...times, ...every(20, endMs + 20, endMs + 3000)]),
    write('back-late', [...times, endMs + 4000]),
  ];
  for (const record of variants) {
    const {
      'stall-count': stalls,
      'stall-time': seconds,
      'freeze-count': freezes,
      'frame-gap-max': gap,
    } = await values(record);
    assert.deepEqual([stalls, seconds, freezes, gap], [2, 0.3 + 0.5, 2, 500]);
  }
});
