import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as av from 'node-av/lib';
import { VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import type { Ladder, Rung } from '../../../../server/media/ladder.ts';
import { LadderEncoder } from '../../../../server/media/ladder-encoder.ts';
import { movingFrames } from '../../../unit/server/support/frames.ts';

const x264 = encoderKinds.find(({ codec }) => codec === 'libx264')!;
const full = { width: 640, height: 360, period: 1 };
const half = { width: 320, height: 180, period: 1 };
const slow = { width: 640, height: 360, period: 2 };
const moving = movingFrames(12, full.width, full.height);
after(() => {
  for (const source of moving) source.free();
});
const sources = Array.from({ length: 60 }, (_, i) => moving[i % moving.length]!);

/** Encodes all frames, each on its rung. */
async function encode(rungs: readonly Rung[]): Promise<{ data: Buffer; key: boolean }[]> {
  let rung = rungs[0]!;
  const ladder = {
    get rung() {
      return rung;
    },
    next: () => rung,
  } as unknown as Ladder;
  const encoder = await LadderEncoder.open(ladder, 250e3, ({ period, ...size }, rateBps) =>
    VideoEncoder.open(x264, { ...size, frameRate: 30 / period, rateBps }),
  );
  const frames = [];
  for (const [i, source] of sources.entries()) {
    rung = rungs[i]!;
    frames.push((await encoder.encode(source, false))!);
  }
  encoder.close();
  return frames;
}

/** Returns the sizes of the decoded frames. */
async function sizes(frames: readonly { data: Buffer }[]): Promise<string[]> {
  const decoder = new av.CodecContext();
  decoder.allocContext3(av.Codec.findDecoderByName('h264' as never)!);
  await decoder.open2();
  const found: string[] = [];
  const frame = new av.Frame();
  frame.alloc();
  const take = async () => {
    while ((await decoder.receiveFrame(frame)) >= 0) found.push(`${frame.width}x${frame.height}`);
  };
  for (const { data } of frames) {
    const packet = new av.Packet();
    packet.alloc();
    packet.data = data;
    await decoder.sendPacket(packet);
    packet.free();
    await take();
  }
  await decoder.sendPacket(null);
  await take();
  frame.free();
  decoder.freeContext();
  return found;
}

test("each rung begins with a key frame, and every frame has its rung's size", async () => {
  const rungs = sources.map((_, i) => (i < 20 ? full : i < 40 ? half : full));
  const frames = await encode(rungs);
  assert.deepEqual(
    frames.flatMap(({ key }, i) => (key ? [i] : [])),
    [0, 20, 40],
  );
  assert.deepEqual(
    await sizes(frames),
    rungs.map(({ width, height }) => `${width}x${height}`),
  );
});

test('half the frame rate has twice the bits for a frame', async () => {
  const bytes = async (rung: Rung) =>
    (await encode(sources.map(() => rung))).slice(20).reduce((sum, { data }) => sum + data.length, 0);
  const [each, fewer] = [await bytes(full), await bytes(slow)];
  assert.ok(fewer / each > 1.5 && fewer / each < 2.5, `${fewer} / ${each}`);
});
