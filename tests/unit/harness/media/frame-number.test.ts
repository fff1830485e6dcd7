import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { seededRandom } from '../../../../core/random.ts';
import {
  type LumaPlane,
  maxFrameNumber,
  paintFrameNumber,
  readFrameNumber,
} from '../../../../harness/media/frame-number.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { emptyFrame, FilterSource } from '../../../../server/media/av.ts';
import { loadClip } from '../../../../server/media/clip.ts';
import { VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import { luma, movingFrames } from '../../server/support/frames.ts';
import { temporaryFolder } from '../support/folder.ts';

const plane = (width: number, height: number, stride = width): LumaPlane => ({
  data: Buffer.alloc(stride * height, 128),
  stride,
  width,
  height,
});

test('every number is read as it was painted', () => {
  const small = plane(320, 10);
  for (let number = 0; number <= maxFrameNumber; number++) {
    paintFrameNumber(small, number);
    assert.equal(readFrameNumber(small), number);
  }
});

test('in every size of frame, with bytes beside it', () => {
  for (const [width, height] of [
    [160, 90],
    [640, 360],
    [854, 480],
    [1280, 720],
    [1920, 1080],
  ] as const) {
    const padded = plane(width, height, width + 64);
    for (const number of [0, 1, 5461, 10922, maxFrameNumber]) {
      paintFrameNumber(padded, number);
      assert.equal(readFrameNumber(padded), number, `${width} x ${height}`);
    }
    assert.ok(
      padded.data.every((value, i) => i % padded.stride < width || value === 128),
      'painted outside the frame',
    );
  }
});

test('only the row of cells is painted', () => {
  const canvas = plane(1280, 720);
  paintFrameNumber(canvas, 1234);
  assert.ok(canvas.data.subarray(40 * 1280).every(value => value === 128));
  assert.ok(
    canvas.data
      .subarray(0, 1280)
      .subarray(20 * 40)
      .every(value => value === 128),
  );
});

test('what is no number is refused', () => {
  for (const number of [-1, 0.5, maxFrameNumber + 1, NaN])
    assert.throws(() => paintFrameNumber(plane(320, 10), number), RangeError);
});

test('a frame without a number reads as none', () => {
  const random = seededRandom(1);
  for (const value of [0, 16, 128, 235, 255]) {
    const flat = plane(1280, 720);
    flat.data.fill(value);
    assert.equal(readFrameNumber(flat), undefined);
  }
  let read = 0;
  for (let i = 0; i < 1000; i++) {
    const noisy = plane(320, 10);
    for (let cell = 0; cell < 32; cell++)
      for (let y = 0; y < 10; y++)
        noisy.data.fill(random.next() < 0.5 ? 16 : 235, y * 320 + cell * 10, y * 320 + cell * 10 + 10);
    if (readFrameNumber(noisy) !== undefined) read++;
  }
  // random cells: the two fixed cells, the 3 check bits and the last cell let one in 64 pass; the majority of the rows
  // decides
  assert.ok(read < (1000 / 64) * 2, `${read} of 1000`);
});

test('one wrong cell is noticed', () => {
  for (const number of [0, 77, 5461, maxFrameNumber]) {
    for (let cell = 0; cell < 20; cell++) {
      const canvas = plane(320, 10);
      paintFrameNumber(canvas, number);
      for (let y = 0; y < 10; y++)
        for (let x = cell * 10; x < cell * 10 + 10; x++) canvas.data[y * 320 + x] = 251 - canvas.data[y * 320 + x]!;
      assert.equal(readFrameNumber(canvas), undefined, `number ${number}, cell ${cell}`);
    }
  }
});

test('noise does not hide it', () => {
  const random = seededRandom(2);
  const canvas = plane(1280, 40);
  for (let number = 0; number <= maxFrameNumber; number += 331) {
    paintFrameNumber(canvas, number);
    for (let i = 0; i < canvas.data.length; i++)
      canvas.data[i] = Math.max(0, Math.min(255, canvas.data[i]! + (random.next() - 0.5) * 300));
    assert.equal(readFrameNumber(canvas), number);
  }
});

test('scaled to 640 x 360 and back it is still there', async () => {
  const [canvas] = movingFrames(1, 1280, 720);
  const source = 'video_size=1280x720:pix_fmt=0:time_base=1/60:pixel_aspect=1/1';
  for (const filter of [
    'scale=640:360:flags=bilinear',
    'scale=640:360:flags=bilinear,scale=1280:720:flags=bilinear',
    'scale=640:360:flags=bicubic,scale=1280:720:flags=neighbor',
  ]) {
    const scaler = await FilterSource.open(filter, source);
    for (const number of [0, 899, 5461, 10922, maxFrameNumber]) {
      paintFrameNumber(luma(canvas!), number);
      const fed = emptyFrame();
      fed.ref(canvas!);
      fed.pts = BigInt(number);
      await scaler.push(fed);
      const scaled = (await scaler.pull())!;
      assert.equal(readFrameNumber(luma(scaled)), number, filter);
      scaled.free();
      fed.free();
    }
    scaler.close();
  }
  canvas!.free();
});

/** Returns the numbers read from the clip's frames after x264 and a decoder. */
async function afterX264(moving: readonly av.Frame[], rateBps: number): Promise<(number | undefined)[]> {
  const { width, height } = moving[0]!;
  const encoder = await VideoEncoder.open(encoderKinds.find(({ codec }) => codec === 'libx264')!, {
    width,
    height,
    frameRate: 60,
    rateBps,
    threads: 1,
  });
  const codec = av.Codec.findDecoder(C.AV_CODEC_ID_H264)!;
  const decoder = new av.CodecContext();
  decoder.allocContext3(codec);
  decoder.threadCount = 1;
  await decoder.open2(codec, null);
  const [packet, decoded] = [new av.Packet(), emptyFrame()];
  packet.alloc();
  const read: (number | undefined)[] = [];
  const drain = async () => {
    while ((await decoder.receiveFrame(decoded)) >= 0) read.push(readFrameNumber(luma(decoded)));
  };
  for (const [i, canvas] of moving.entries()) {
    packet.data = (await encoder.encode(canvas, i === 0))!.data;
    await decoder.sendPacket(packet);
    await drain();
  }
  await decoder.sendPacket(null);
  await drain();
  encoder.close();
  decoder.freeContext();
  packet.free();
  return read;
}

test("x264 leaves it readable; where it repeats a frame to keep to 300 kbit/s, the number is the repeated one's", async () => {
  const path = join(temporaryFolder(), 'clip.mp4');
  await generateClip(path, 30);
  const numbers = Array.from({ length: 30 }, (_, i) => i);
  for (const [width, height, rateBps] of [
    [1280, 720, 1e6],
    [640, 360, 300e3],
  ] as const) {
    const { frames } = await loadClip(path, { width, height, maxSeconds: 1 });
    assert.deepEqual(await afterX264(frames, rateBps), numbers, `${height}p at ${rateBps} bit/s`);
    for (const frame of frames) frame.free();
  }
  const { frames } = await loadClip(path, { width: 1280, height: 720, maxSeconds: 1 });
  const read = await afterX264(frames, 300e3);
  assert.equal(read.length, 30);
  for (const [i, number] of read.entries()) assert.ok(number === i || number === read[i - 1], `${read}`);
  assert.ok(new Set(read).size > 15, `${read}`);
  for (const frame of frames) frame.free();
});
