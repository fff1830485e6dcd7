/** Clips from various cameras and programs: shown as in a player, or refused with one line. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as C from 'node-av/constants';
import type { ClipFacts } from '../../../../core/vocabulary/clip-facts.ts';
import { clipChanges, clipNotes } from '../../../../core/vocabulary/clip-words.ts';
import { type Clip, loadClip } from '../../../../server/media/clip.ts';
import { frameIndexAt } from '../../../../server/media/frame-times.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { type MadeClip, makeClip, mirrored, turnedBy } from '../support/made-clip.ts';

const folder = temporaryFolder();
const stream = { width: 320, height: 180, frameRate: 30 };

const count = (frames: number, from = 0, step = 1) => Array.from({ length: frames }, (_, k) => from + k * step);

/** `at` returns luma at a position in parts of width and height; chroma with `k` 1 and 2. */
type Seen = { facts: ClipFacts; times: Clip['times']; frames: number; at(x: number, y: number, k?: number): number };

async function seen(file: string, { maxSeconds = 15, ofFrame = 0 } = {}): Promise<Seen> {
  const { frames, facts, times } = await loadClip(file, { ...stream, maxSeconds });
  const { data, linesize } = frames[Math.min(ofFrame, frames.length - 1)]!;
  const planes = data!.map(plane => Buffer.from(plane));
  const strides = [...linesize];
  for (const frame of frames) frame.free();
  const at = (x: number, y: number, k = 0) => {
    const half = k === 0 ? 1 : 2;
    return planes[k]![Math.floor((y * stream.height) / half) * strides[k]! + Math.floor((x * stream.width) / half)]!;
  };
  return { facts, times, frames: frames.length, at };
}

const made = async (name: string, clip: MadeClip, options?: { maxSeconds?: number; ofFrame?: number }) =>
  seen(await makeClip(join(folder, name), clip), options);

/** Returns the frames that a stream shows, tick by tick. */
const shown = (times: Clip['times'], ticks: number, frameRate = stream.frameRate) =>
  Array.from({ length: ticks }, (_, k) => frameIndexAt(times, k / frameRate, 1 / frameRate));

const isNear = (a: number, b: number, by = 4) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const bar = 16;

describe('times', { concurrency: 2 }, () => {
  test('a last frame that is an hour late is no hour of a still', async () => {
    const { facts, times, frames } = await made('late.mp4', { parts: [{ times: [...count(60), 30 * 3600] }] });
    assert.deepEqual([frames, times.frameRate, times.seconds], [60, 30, 2]);
    assert.ok(facts.leftOutS! > 3590 && facts.fileSeconds! > 3590);
    assert.match(
      clipChanges(facts, stream).join('; '),
      /ended before a frame that comes 3598 s after the one before it/,
    );
    assert.deepEqual(clipNotes(facts), []);
  });

  test('a recording of a screen that stands still plays as long as it is, and is noted', async () => {
    const screen: MadeClip = {
      timeBase: [1, 60],
      parts: [{ times: [0, 120, 240, 360, 480, ...count(60, 540)] }],
    };
    const { facts, times, frames } = await made('screen.mkv', screen);
    assert.deepEqual([frames, times.frameRate], [65, null]);
    isNear(times.seconds, 10, 0.05);
    assert.deepEqual(
      [0, 1.9, 2.1, 8.5, 9.5, 10.1].map(s => frameIndexAt(times, s, 1 / 30) > 4),
      [false, false, false, false, true, false],
    );
    assert.match(clipNotes(facts)[0]!, /^the clip stands still 9\d % of the time/);
    assert.match(clipChanges(facts, stream).join('; '), /resampled to 30 fps/);
  });

  test('parts of 30, 10 and 60 fps keep their speed', async () => {
    const { times, frames } = await made('rates.mp4', {
      timeBase: [1, 60],
      parts: [{ times: [...count(60, 0, 2), ...count(20, 120, 6), ...count(120, 240)] }],
    });
    assert.equal(frames, 200);
    isNear(times.seconds, 6, 0.02);
    const ticks = shown(times, 180);
    assert.deepEqual(ticks.slice(0, 4), [0, 1, 2, 3]);
    assert.deepEqual(ticks.slice(60, 67), [60, 60, 60, 61, 61, 61, 62]);
    assert.deepEqual(ticks.slice(120, 123), [80, 82, 84]);
  });

  test('times that Matroska rounds to milliseconds are even: no frame of 29.97 fps is lost or doubled', async () => {
    const { times } = await made('ntsc.mkv', { timeBase: [1001, 30_000], parts: [{ times: count(90) }] });
    isNear(times.frameRate!, 30_000 / 1001, 1e-3);
    assert.deepEqual(shown(times, 90, 30_000 / 1001), count(90));
  });

  test('a phone whose frames come some milliseconds early and late shows each once', async () => {
    const uneven = count(60).map(k => Math.round((k * 1000) / 30) + [0, 4, -5, 3, -2, 5][k % 6]!);
    const { times } = await made('phone.mp4', { timeBase: [1, 1000], parts: [{ times: uneven }] });
    assert.equal(times.frameRate, null);
    assert.deepEqual(shown(times, 60), count(60));
  });

  test('slow motion of 240 fps plays at its own speed', async () => {
    const { times } = await made('slow.mp4', { timeBase: [1, 240], parts: [{ times: count(240) }] });
    assert.deepEqual([times.frameRate, times.seconds], [240, 1]);
    assert.deepEqual(shown(times, 4), [0, 8, 16, 24]);
  });

  test('recordings of a camera that were put together go on where their times begin anew', async () => {
    const piece: MadeClip = { container: 'mpegts', parts: [{ times: count(30) }] };
    const one = readFileSync(await makeClip(join(folder, 'one.ts'), piece));
    const file = join(folder, 'both.ts');
    writeFileSync(file, Buffer.concat([one, one]));
    const { facts, times, frames } = await seen(file);
    assert.ok(frames >= 58, String(frames));
    isNear(times.seconds, 2, 0.1);
    assert.equal(facts.breaks, 1);
  });

  test('a bare stream without times plays at the rate that it says', async () => {
    const { facts, times } = await made('bare.h264', {
      container: 'h264',
      timeBase: [1, 50],
      parts: [{ times: count(50) }],
    });
    assert.equal(facts.frames, 50);
    isNear(times.seconds, 1, 0.05);
  });

  test('what begins at five seconds begins at once', async () => {
    const { times } = await made('later.mkv', { timeBase: [1, 30], parts: [{ times: count(30, 150) }] });
    assert.deepEqual([times.startsS[0], times.frameRate], [0, 30]);
    isNear(times.seconds, 1, 0.01);
  });

  test('a capture with 60 frames a second of a screen that does not change is noted', async () => {
    const { facts } = await made('idle.mp4', {
      timeBase: [1, 60],
      parts: [{ times: count(120), picture: () => [90, 128, 128] }],
    });
    assert.match(clipNotes(facts)[0]!, /^the clip stands still 100 % of the time/);
  });

  test('a single frame is a clip, and noted', async () => {
    const { facts, times } = await made('one.mkv', { parts: [{ times: [0] }] });
    assert.deepEqual([facts.frames, shown(times, 3).join()], [1, '0,0,0']);
    assert.match(clipNotes(facts)[0]!, /single frame/);
  });

  test('packets that are broken are left out and counted', async () => {
    const file = await makeClip(join(folder, 'broken.mp4'), {
      codec: 'mjpeg',
      pixelFormat: C.AV_PIX_FMT_YUVJ420P,
      parts: [{ times: count(30) }],
    });
    const bytes = readFileSync(file);
    let at = 0;
    for (let k = 0; k < 4; k++) at = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]), at + 1); // the fourth picture
    bytes.fill(0, at, at + 200);
    writeFileSync(file, bytes);
    const { facts, frames } = await seen(file);
    assert.deepEqual([frames, facts.broken], [29, 1]);
    assert.match(clipChanges(facts, stream)[0]!, /^1 broken packet left out$/);
  });
});

describe('shapes', { concurrency: 2 }, () => {
  test('a portrait clip of a phone stands upright between bars', async () => {
    const { facts, at } = await made('portrait.mp4', { displayMatrix: turnedBy(90), parts: [{ times: count(3) }] });
    assert.equal(facts.pieces[0]!.degrees, 90);
    assert.deepEqual([at(0.1, 0.5), at(0.9, 0.5)], [bar, bar]);
    isNear(at(0.6, 0.2), 200); // the upper left of the frame is now at the upper right
    isNear(at(0.4, 0.2), 60);
    assert.match(clipChanges(facts, stream).join('; '), /turned as the file asks \(90°\).*bars left and right/);
  });

  test('a mirrored clip of a front camera is mirrored', async () => {
    const { at } = await made('selfie.mp4', { displayMatrix: mirrored, parts: [{ times: count(3) }] });
    isNear(at(0.75, 0.2), 200);
    isNear(at(0.25, 0.2), 60);
  });

  test('a turn that is no quarter is refused in one line', async () => {
    const file = await makeClip(join(folder, 'askew.mp4'), {
      displayMatrix: turnedBy(30),
      parts: [{ times: count(3) }],
    });
    await assert.rejects(seen(file), { code: 'bad-clip', message: /turned by 30 degrees, which is no quarter turn$/ });
  });

  test('pixels that are not square fill the frame', async () => {
    const { facts, at } = await made('anamorphic.mp4', {
      pixelAspect: [64, 45],
      parts: [{ width: 720, height: 576, times: count(2) }],
    });
    assert.deepEqual([facts.pieces[0]!.shownWidth, facts.pieces[0]!.shownHeight], [1024, 576]);
    isNear(at(0.01, 0.2), 200);
  });

  test('each part of a call that changes its size has its own shape', async () => {
    const file = await makeClip(join(folder, 'sizes.ts'), {
      container: 'mpegts',
      parts: [
        { times: count(12) },
        { width: 120, height: 90, times: count(12, 12) },
        { width: 90, height: 160, times: count(12, 24) },
      ],
    });
    const [first, second, third] = await Promise.all([2, 17, 30].map(ofFrame => seen(file, { ofFrame })));
    assert.deepEqual(
      first!.facts.pieces.map(({ width, height }) => `${width}x${height}`),
      ['160x90', '120x90', '90x160'],
    );
    isNear(first!.at(0.01, 0.2), 200);
    assert.equal(second!.at(0.05, 0.2), bar);
    isNear(second!.at(0.15, 0.2), 200);
    assert.equal(third!.at(0.3, 0.2), bar);
    isNear(third!.at(0.4, 0.2), 200);
  });

  test('what the container crops is not shown', async () => {
    const { facts, at } = await made('cropped.mkv', {
      cropping: [0, 0, 80, 0],
      parts: [{ times: count(2), width: 160, height: 90 }],
    });
    assert.equal(facts.pieces[0]!.isCropped, true);
    assert.equal(at(0.1, 0.3), bar);
    isNear(at(0.4, 0.2), 60); // the bright quarter is cropped away
  });

  test('fields of a camcorder are made frames', async () => {
    const { facts, frames } = await made('fields.ts', {
      container: 'mpegts',
      codec: 'mpeg2video',
      timeBase: [1, 25],
      isInterlaced: true,
      parts: [{ width: 720, height: 576, times: count(10) }],
    });
    assert.deepEqual([frames, facts.pieces.length, facts.pieces[0]!.isInterlaced], [10, 1, true]);
  });
});

describe('colours', { concurrency: 2 }, () => {
  /** Red of full strength by BT.601 and by BT.709, ITU-R BT.601-7 and BT.709-6, 8 bits. */
  const red601 = [81, 90, 240] as const;
  const red709 = [63, 102, 240] as const;
  const isRed = ({ at }: Seen) => red709.forEach((value, k) => isNear(at(0.5, 0.5, k), value, 3));

  test('BT.601 becomes BT.709, whether a file says so or is small', async () => {
    const parts = [{ times: count(2), picture: () => red601 }];
    isRed(await made('small.mp4', { parts }));
    isRed(
      await made('said.mp4', {
        parts: [{ ...parts[0]!, width: 1280, height: 720 }],
        colours: { matrix: C.AVCOL_SPC_SMPTE170M },
      }),
    );
  });

  test('BT.709 stays as it is, whether a file says so or is large', async () => {
    const parts = [{ times: count(2), picture: () => red709 }];
    isRed(await made('hd.mp4', { parts: [{ ...parts[0]!, width: 1280, height: 720 }] }));
    isRed(await made('hd-said.mp4', { parts, colours: { matrix: C.AVCOL_SPC_BT709 } }));
  });

  test('full range becomes limited', async () => {
    const colours = { range: C.AVCOL_RANGE_JPEG, matrix: C.AVCOL_SPC_BT709 };
    for (const [luma, limited] of [
      [0, 16],
      [255, 235],
    ] as const) {
      const clip = { colours, parts: [{ times: count(2), picture: () => [luma, 128, 128] as const }] };
      const { at, facts } = await made(`full-${luma}.mp4`, clip);
      isNear(at(0.5, 0.5), limited, 1);
      assert.equal(facts.pieces[0]!.range, 'full');
    }
  });

  test('a capture of a screen in RGB keeps its red', async () => {
    const gbr = () => [0, 0, 255] as const;
    const clip = { codec: 'utvideo', pixelFormat: C.AV_PIX_FMT_GBRP, parts: [{ times: count(2), picture: gbr }] };
    isRed(await made('screen-rgb.mkv', clip));
  });

  test('what a phone records in HLG is made fit for a usual display', async () => {
    const { at, facts } = await made('hlg.mp4', {
      colours: {
        range: C.AVCOL_RANGE_MPEG,
        matrix: C.AVCOL_SPC_BT2020_NCL,
        transfer: C.AVCOL_TRC_ARIB_STD_B67,
        primaries: C.AVCOL_PRI_BT2020,
      },
      parts: [{ times: count(2) }],
    });
    assert.equal(facts.pieces[0]!.transfer, 'hlg');
    assert.ok(at(0.1, 0.2) > at(0.6, 0.2) && at(0.1, 0.2) <= 236 && at(0.6, 0.2) >= 16);
    assert.match(clipChanges(facts, stream).join('; '), /tone-mapped/);
  });
});
