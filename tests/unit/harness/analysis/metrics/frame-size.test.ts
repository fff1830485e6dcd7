import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { majoritySize } from '../../../../../harness/analysis/derive/frame-size.ts';
import { plugin } from '../../../../../harness/analysis/metrics/frame-size/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, presented, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const shown = (timeMs: number, height: number) => ({ ...presented(timeMs, 1), width: (height * 16) / 9, height });

test('the size that was on the screen for longest, not that of most frames', async () => {
  const frames = [
    shown(startMs - 5000, 360),
    shown(startMs + 3000, 720),
    shown(startMs + 8500, 360),
    shown(startMs + 8600, 360),
    shown(startMs + 8700, 360),
  ];
  const record = writeRecord(join(folder, 'a'), { 'frames.presented': frames });
  // a height of 720 has 5.5 s; 360 has 3 s at the start and 1.5 s at the end
  assert.deepEqual(majoritySize(frames, { startMs, endMs }), { width: 1280, height: 720 });
  assert.deepEqual(await plugin.compute(record), { 'frame-height': 720 });
});

test('what is shown after the window has no part in it', async () => {
  assert.deepEqual(
    await plugin.compute(
      writeRecord(join(folder, 'b'), {
        'frames.presented': [shown(endMs - 100, 360), shown(endMs + 1, 1080), shown(endMs + 9000, 1080)],
      }),
    ),
    { 'frame-height': 360 },
  );
});

test('no frame, no size', async () => {
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'c'), {})), { 'frame-height': null });
});
