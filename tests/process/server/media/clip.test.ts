import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { CoexistError } from '../../../../core/errors.ts';
import { readFrameNumber } from '../../../../harness/media/frame-number.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { loadClip } from '../../../../server/media/clip.ts';
import { inspectClip } from '../../../../server/media/clip-decoder.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { luma } from '../../../unit/server/support/frames.ts';
import { sharedStart } from '../../../unit/support/shared-start.ts';

const directory = temporaryFolder();
const clip = join(directory, 'clip.mp4');
const frameCount = 12;
const size = { width: 640, height: 360, maxSeconds: 10 };

sharedStart(() => generateClip(clip, frameCount));

function file(name: string, content: Buffer | string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** A second of silence as WAV. */
function silence(): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ................data....', 'latin1');
  header.writeUInt32LE(36 + 16_000, 4);
  for (const [offset, value] of [
    [16, 16],
    [24, 8000],
    [28, 16_000],
    [40 - 4, 16_000],
  ] as const)
    header.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    header.writeUInt16LE(value, offset);
  return Buffer.concat([header.subarray(0, 36), Buffer.from('data'), header.subarray(36, 40), Buffer.alloc(16_000)]);
}

async function refusal(promise: Promise<unknown>, code: string): Promise<CoexistError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof CoexistError, String(error));
    assert.equal(error.code, code);
    return error;
  }
  return assert.fail('was accepted');
}

test('every frame is there, in order and in the size asked for', async () => {
  const { frames, times, facts, path } = await loadClip(clip, size);
  assert.equal(path, clip);
  assert.deepEqual([times.frameRate, times.seconds, times.startsS.length], [60, frameCount / 60, frameCount]);
  assert.deepEqual([facts.width, facts.height, facts.frameRate, facts.codec], [1280, 720, 60, 'h264']);
  assert.deepEqual(
    frames.map(frame => readFrameNumber(luma(frame))),
    Array.from({ length: frameCount }, (_, i) => i),
  );
  for (const frame of frames) {
    assert.deepEqual([frame.width, frame.height, frame.format], [640, 360, C.AV_PIX_FMT_YUV420P]);
    frame.free();
  }
});

test('only the first seconds are used, but at least a frame', async () => {
  for (const [maxSeconds, count] of [
    [0.1, 6],
    [0.0001, 1],
    [0.05, 3],
  ] as const) {
    const { frames } = await loadClip(clip, { ...size, maxSeconds });
    assert.equal(frames.length, count);
    for (const frame of frames) frame.free();
  }
});

test('another shape is fitted in, between black bars', async () => {
  for (const [width, height, bar] of [
    [640, 640, { x: 320, y: 70 }],
    [1280, 360, { x: 160, y: 180 }],
  ] as const) {
    const { frames } = await loadClip(clip, { width, height, maxSeconds: 0.02 });
    const { data, stride } = luma(frames[0]!);
    assert.equal(data[bar.y * stride + bar.x], 16, 'a bar is black');
    assert.equal(data[(height - 1 - bar.y) * stride + width - 1 - bar.x], 16, 'so is the other');
    const row = data.subarray((height / 2) * stride + width / 2 - 100, (height / 2) * stride + width / 2 + 100);
    assert.ok(new Set(row).size > 20, 'the frame is between them');
    for (const frame of frames) frame.free();
  }
});

test('the facts of a clip are the same whether its frames are wanted or not', async () => {
  const { frames, facts } = await loadClip(clip, size);
  for (const frame of frames) frame.free();
  const { stillRatio: _, ...inspected } = await inspectClip(clip, size.maxSeconds);
  const { stillRatio: __, ...loaded } = facts;
  assert.deepEqual(inspected, loaded);
});

test('each file that is no clip is refused by name', async () => {
  av.Log.setLevel(C.AV_LOG_QUIET);
  const whole = readFileSync(clip);
  const corrupt = Buffer.from(whole);
  corrupt.fill(0x55, 2000, whole.length - 4000); // corrupts the frames, not the index
  const bad = {
    missing: join(directory, 'missing.mp4'),
    'a folder': directory,
    empty: file('empty.mp4', ''),
    text: file('text.mp4', 'this is no video\n'.repeat(100)),
    'cut in half': file('half.mp4', whole.subarray(0, whole.length / 2)),
    'cut after the header': file('header.mp4', whole.subarray(0, 40)),
    sound: file('sound.wav', silence()),
    corrupt: file('corrupt.mp4', corrupt),
  };
  for (const [what, path] of Object.entries(bad)) {
    for (const open of [() => loadClip(path, size), () => inspectClip(path, 10)]) {
      const error = await refusal(open(), 'bad-clip');
      assert.ok(error.message.includes(path), `${what}: ${error.message}`);
      assert.ok(error.hint !== undefined, what);
    }
  }
  assert.match((await refusal(loadClip(bad.missing, size), 'bad-clip')).message, /does not exist/);
  assert.match((await refusal(loadClip(bad.sound, size), 'bad-clip')).message, /no video/);
});

test('a file that leads to other files or addresses is no clip', async () => {
  for (const path of [
    file('list.ffconcat', `ffconcat version 1.0\nfile 'clip.mp4'\n`),
    file('list.m3u8', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nclip.mp4\n#EXT-X-ENDLIST\n'),
    file('list.mp4', `ffconcat version 1.0\nfile 'clip.mp4'\n`),
  ])
    assert.match((await refusal(inspectClip(path, 10), 'bad-clip')).message, /it is no MP4/);
});

test('frames larger than 8K are refused', async () => {
  const huge = file('huge.y4m', `YUV4MPEG2 W16000 H16000 F25:1 Ip A1:1 C420\nFRAME\n${'x'.repeat(1000)}`);
  assert.match((await refusal(inspectClip(huge, 10), 'bad-clip')).message, /larger than 8K/);
});

test('a clip that would not fit into memory is refused before it is decoded', async () => {
  const error = await refusal(loadClip(clip, { width: 1_000_000, height: 1_000_000, maxSeconds: 10 }), 'no-memory');
  // a frame of a million by a million pixels
  assert.match(error.message, /the clip needs at least 1500000 MB of memory, \d+ MB are free/);
});

test('what counts for memory is the clip, not the time asked for', async () => {
  const { frames } = await loadClip(clip, { ...size, maxSeconds: 1e6 });
  assert.equal(frames.length, frameCount);
  for (const frame of frames) frame.free();
});
