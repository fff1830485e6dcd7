import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/still-picture/index.ts';
import { clipFacts } from '../../support/clip-facts.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { presented, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
/** A frame every 20 ms from 100 ms before the window, each presented 50 ms after its capture. */
const times = Array.from({ length: 600 }, (_, i) => startMs - 100 + 20 * i);

type Size = { bytes: number; packets: number; key?: boolean };

/** Values of a record whose frame `i` has the size of `sizeOf`; frames that `isShown` denies were not presented. */
async function of(name: string, sizeOf: (i: number) => Size, isShown: (i: number) => boolean = () => true) {
  const sent = times.map((timeMs, i) => ({ rtpTimestamp: i, captureMs: timeMs - 50, key: false, ...sizeOf(i) }));
  const shown = times.flatMap((timeMs, i) => (isShown(i) ? [{ timeMs, i }] : []));
  const record = writeRecord(join(folder, name), {
    'frames.sent': sent,
    'frames.presented': shown.map(({ timeMs, i }, at) => presented(timeMs, at + 1, i)),
  });
  const { 'still-picture-count': count, 'still-picture-time': seconds } = await plugin.compute(record);
  return [count, seconds];
}

const full: Size = { bytes: 3000, packets: 3 };
const repeated: Size = { bytes: 25, packets: 2 };

test('frames that repeat the picture make it stand still', async () => {
  // frames 100 to 149 repeat frame 99: from its presentation to that of frame 150 are 51 periods
  assert.deepEqual(await of('still', i => (i >= 100 && i < 150 ? repeated : full)), [1, 1.02]);
});

test('a time below the limit of a stall does not count, nor do frames with content', async () => {
  assert.deepEqual(await of('short', i => (i >= 100 && i < 109 ? repeated : full)), [0, 0]);
  assert.deepEqual(await of('coarse', () => ({ bytes: 200, packets: 2 })), [0, 0]);
  assert.deepEqual(await of('key frames', i => ({ ...repeated, key: i % 2 === 0 })), [0, 0]);
});

test('a stall is no still picture; its time is left out of a still picture around it', async () => {
  const isShown = (i: number) => i < 120 || i >= 140;
  assert.deepEqual(await of('stall', () => full, isShown), [0, 0]);
  // the stall lasts from frame 119 to frame 140: 0.42 s
  const [count, seconds] = await of('both', i => (i >= 100 && i < 150 ? repeated : full), isShown);
  assert.equal(count, 1);
  assert.ok(Math.abs(seconds! - 0.6) < 1e-9, `${seconds} s`);
});

test('nothing is known without the sizes of the frames, or of a clip that itself stands still', async () => {
  const frames = { 'frames.presented': times.map((timeMs, i) => presented(timeMs, i + 1, i)) };
  const none = { 'still-picture-count': null, 'still-picture-time': null };
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'unknown'), frames)), none);
  const sent = times.map((timeMs, i) => ({ rtpTimestamp: i, captureMs: timeMs - 50, ...repeated, key: i === 0 }));
  const ofClip = (name: string, stillRatio: number) =>
    plugin.compute(
      writeRecord(
        join(folder, name),
        { ...frames, 'frames.sent': sent },
        { facts: { clip: clipFacts({ stillRatio }) } },
      ),
    );
  assert.deepEqual(await ofClip('still clip', 0.5), none);
  assert.equal((await ofClip('moving clip', 0))['still-picture-count'], 1);
});
