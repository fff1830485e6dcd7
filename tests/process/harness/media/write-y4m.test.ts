import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFrameNumber } from '../../../../harness/media/frame-number.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { writeY4m } from '../../../../harness/media/write-y4m.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { sharedStart } from '../../../unit/support/shared-start.ts';

const folder = temporaryFolder();
const clip = join(folder, 'clip.mp4');
const [width, height] = [640, 360];
const frameBytes = (width * height * 3) / 2;
sharedStart(() => generateClip(clip, 30)); // half a second at 60 frames a second

/** Returns the numbers painted into the frames of a file. */
function numbers(file: string): (number | undefined)[] {
  const bytes = readFileSync(file);
  const found: (number | undefined)[] = [];
  let at = bytes.indexOf('\n') + 1;
  for (; at < bytes.length; at += frameBytes) {
    assert.equal(bytes.toString('latin1', at, at + 6), 'FRAME\n');
    at += 6;
    found.push(readFrameNumber({ data: bytes.subarray(at, at + width * height), stride: width, width, height }));
  }
  assert.equal(at, bytes.length, 'whole frames');
  return found;
}

test('every second frame of a clip at half its rate, behind a header that says so', async () => {
  const file = join(folder, 'half.y4m');
  await writeY4m(clip, { width, height, frameRate: 30, seconds: 5, matrix: 'bt709' }, file);
  assert.equal(readFileSync(file, 'latin1').split('\n')[0], 'YUV4MPEG2 W640 H360 F30:1 Ip A1:1 C420jpeg');
  assert.deepEqual(
    numbers(file),
    Array.from({ length: 15 }, (_, k) => 2 * k),
  );
});

test('a rate of television stands in the header as it is', async () => {
  const file = join(folder, 'ntsc.y4m');
  await writeY4m(clip, { width, height, frameRate: 30_000 / 1001, seconds: 0.1, matrix: 'bt709' }, file);
  assert.match(readFileSync(file, 'latin1').split('\n')[0]!, / F30000:1001 /);
  assert.deepEqual(numbers(file), [0, 2]);
});

test('as it is, and no longer than asked for', async () => {
  const file = join(folder, 'short.y4m');
  await writeY4m(clip, { width, height, frameRate: 60, seconds: 0.1, matrix: 'bt709' }, file);
  assert.deepEqual(numbers(file), [0, 1, 2, 3, 4, 5]);
});

test('where it cannot be written, it says so and leaves nothing', async () => {
  await assert.rejects(
    writeY4m(clip, { width, height, frameRate: 30, seconds: 0.1, matrix: 'bt709' }, join(folder, 'none/x.y4m')),
    {
      code: 'cannot-write',
    },
  );
  await assert.rejects(
    writeY4m(
      join(folder, 'none.mp4'),
      { width, height, frameRate: 30, seconds: 1, matrix: 'bt709' },
      join(folder, 'y.y4m'),
    ),
    { code: 'bad-clip' },
  );
  assert.ok(!existsSync(join(folder, 'y.y4m')) && readdirSync(folder).every(name => !name.includes('partial')));
});
