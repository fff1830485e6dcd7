import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../harness/metrics/frame-rate/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endMs, every, presented, presentedAt, startMs, stats, writeRecord } from '../support/record.ts';

const folder = temporaryFolder();

test('decoded by the browser\'s counter, presented by its callbacks', async () => {
  const record = writeRecord(join(folder, 'a'), {
    // 590 decoded, and half of the 20 between the last two readings
    'stats': [stats(startMs, { framesDecoded: 100 }), stats(endMs - 500, { framesDecoded: 690 }), stats(endMs + 500, { framesDecoded: 710 })],
    'frames.presented': presentedAt([startMs - 20, startMs, ...every(20, startMs + 20, 13_000), ...every(20, 13_160, endMs - 20), endMs + 20]),
  });
  // the picture at the window's start belongs to the time before it; 7 are missing, and that at its end
  assert.deepEqual(await plugin.compute(record), {
    'frame-rate': (590 + 10) / 10, 'presented-frame-rate': (500 - 7 - 1) / 10, 'frame-gap-max': 160,
  });
});

test('pictures that the callbacks missed are presented all the same', async () => {
  const record = writeRecord(join(folder, 'missed'), { 'frames.presented': [presented(startMs, 1), presented(startMs + 5000, 251), presented(endMs, 501)] });
  assert.deepEqual(await plugin.compute(record), { 'frame-rate': null, 'presented-frame-rate': 50, 'frame-gap-max': 20 });
});

test('without pictures there is no rate and no gap', async () => {
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'none'), {})), { 'frame-rate': null, 'presented-frame-rate': null, 'frame-gap-max': null });
});
