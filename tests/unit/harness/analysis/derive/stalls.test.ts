import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { stallsOf } from '../../../../../harness/analysis/derive/stalls.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, every, presentedAt, startMs, trialFile, writeRecord } from '../../support/record.ts';

const capturing = (frameRate: number) => ({
  condition: {
    ...condition,
    applications: condition.applications.map(one => (one.name === condition.subject ? { ...one, frameRate } : one)),
  },
});

test('a stall is more than 200 ms without a new frame', async () => {
  const record = writeRecord(join(temporaryFolder(), 'a'), {
    'frames.presented': presentedAt([startMs - 50, startMs + 150, startMs + 351, endMs - 150, endMs + 900]),
  });
  // gaps: 200 ms is no stall, 201 ms is a stall, a gap until 150 ms before the end is a stall, and the last 150 ms are
  // none
  assert.deepEqual(await stallsOf(record), [
    { lengthMs: 201, startMs: startMs + 150, endMs: startMs + 351 },
    { lengthMs: 9499, startMs: startMs + 351, endMs: endMs - 150 },
  ]);
  assert.equal((await stallsOf(record, 100)).length, 4);
});

test('five frames a second on a display of 60 Hz are no stalls, and a second without one is', async () => {
  // gaps of 200 and 217 ms, as on a display; one frame is shown 1.1 s after the previous frame
  const times = every(200, startMs - 1000, 14_000).map((time, i) => time + (i % 2 === 0 ? 0 : 17));
  const late = every(200, times.at(-1)! + 1100, endMs);
  const write = (name: string, frameRate: number) =>
    writeRecord(
      join(temporaryFolder(), name),
      { 'frames.presented': presentedAt([...times, ...late]) },
      capturing(frameRate),
    );
  assert.deepEqual(
    (await stallsOf(write('five', 5))).map(({ lengthMs }) => lengthMs),
    [1100],
  );
  assert.ok((await stallsOf(write('thirty', 30))).length > 10, 'of 30 frames a second all of them are');
});

test('a pause of the sender is no stall; of the wait for the first frame after it, what is too long is', async () => {
  const pause = (endMs: number | null) => (file: TrialFile) => ({
    applications: file.applications.map(one => ({ ...one, pauses: [{ startMs: startMs + 1000, endMs }] })),
  });
  const stalls = (name: string, goesOnMs: number, endOfPauseMs: number | null) => {
    const times = [...every(20, startMs - 100, startMs + 1010), ...every(20, goesOnMs, endMs)];
    const change = pause(endOfPauseMs)(trialFile());
    return stallsOf(writeRecord(join(temporaryFolder(), name), { 'frames.presented': presentedAt(times) }, change));
  };
  assert.deepEqual(await stalls('short', startMs + 5150, startMs + 5000), []);
  assert.deepEqual(await stalls('long', startMs + 5250, startMs + 5000), [
    { lengthMs: 250, startMs: startMs + 5000, endMs: startMs + 5250 },
  ]);
  assert.deepEqual(await stalls('open', endMs + 500, null), [], 'a pause without an end reaches to the end');
});
