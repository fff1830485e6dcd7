import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/stall/index.ts';
import { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, presentedAt, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const of = async (name: string, timesMs: number[]) => {
  const {
    'stall-count': count,
    'stall-time': seconds,
    'stall-rate': rate,
    'stall-share': share,
  } = await plugin.compute(writeRecord(join(folder, name), { 'frames.presented': presentedAt(timesMs) }));
  return { 'stall-count': count, 'stall-time': seconds, 'stall-rate': rate, 'stall-share': share };
};

test('stalls are counted and their time inside the window is added', async () => {
  // a stall that began 300 ms before the window and took 400 ms of the window; a stall of 250 ms; 200 ms, which is no
  // stall; 350 ms at the end
  const times = [
    startMs - 300,
    ...every(20, startMs + 400, 12_000),
    ...every(20, 12_250, 13_990),
    ...every(20, 14_190, endMs - 350),
    endMs + 50,
  ];
  // a window of 10 s: per minute, and as a share, they can be compared with those of other windows
  assert.deepEqual(await of('stalls', times), {
    'stall-count': 3,
    'stall-time': (400 + 250 + 350) / 1000,
    'stall-rate': 18,
    'stall-share': 0.1,
  });
});

test('a smooth stream has none', async () => {
  assert.deepEqual(Object.values(await of('smooth', every(16, startMs - 500, endMs))), [0, 0, 0, 0]);
});

test('a record without any frame is no smooth stream', async () => {
  assert.deepEqual(Object.values(await of('nothing', [])), [null, null, null, null]);
});

test("by the study's own threshold", async () => {
  // gaps of 250 ms and 100 ms
  const times = [...every(20, startMs - 500, 12_000), ...every(20, 12_250, 13_990), ...every(20, 14_090, endMs)];
  const directory = join(folder, 'study');
  const { file } = writeRecord(directory, { 'frames.presented': presentedAt(times) });
  const measured = async (record: TrialRecord) => Object.values(await plugin.compute(record));
  assert.deepEqual(await measured(new TrialRecord(file, directory, { stallMs: 99 })), [1, 0.25, 6, 0.025, 2, 0.35]);
  assert.deepEqual(await measured(new TrialRecord(file, directory, { stallMs: 250 })), [1, 0.25, 6, 0.025, 0, 0]);
  // default threshold: more than 100 ms
  assert.deepEqual(await measured(new TrialRecord(file, directory)), [1, 0.25, 6, 0.025, 1, 0.25]);
});
