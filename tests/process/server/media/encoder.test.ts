import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as av from 'node-av/lib';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { type Clip, loadClip } from '../../../../server/media/clip.ts';
import { type EncodedFrame, VideoEncoder } from '../../../../server/media/encoder.ts';
import { chooseEncoder, encoderKinds, probeEncoder } from '../../../../server/media/encoder-kinds.ts';
import { splitAnnexB } from '../../../../server/rtp/h264-packetizer.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { sharedStart } from '../../../unit/support/shared-start.ts';
import '../../../unit/server/support/frames.ts';

const directory = temporaryFolder();
const [nvenc, x264] = ['h264_nvenc', 'libx264'].map(name => encoderKinds.find(({ codec }) => codec === name)!);
const size = { width: 640, height: 360, frameRate: 60 };
let clip: Clip;

sharedStart(
  async () => {
    await generateClip(join(directory, 'clip.mp4'), 30);
    clip = await loadClip(join(directory, 'clip.mp4'), { ...size, maxSeconds: 10 });
  },
  () => clip?.frames.forEach(frame => frame.free()),
);

/** Encodes `count` frames of the clip; `isKey`: true for requested key frames. */
async function encode(
  encoder: VideoEncoder,
  count: number,
  isKey: (number: number) => boolean = () => false,
): Promise<EncodedFrame[]> {
  const frames: EncodedFrame[] = [];
  for (let number = 0; number < count; number++)
    frames.push((await encoder.encode(clip.frames[number % clip.frames.length]!, isKey(number)))!);
  return frames;
}

const types = ({ data }: EncodedFrame) => splitAnnexB(data).map(unit => unit[0]! & 0x1f);
const keys = (frames: readonly EncodedFrame[]) => frames.flatMap(({ key }, number) => (key ? [number] : []));
const bps = (frames: readonly EncodedFrame[]) =>
  (frames.reduce((sum, { data }) => sum + data.length, 0) * 8 * 60) / frames.length;

test('one frame in, one access unit out, and key frames exactly where they are asked for', async () => {
  const encoder = await VideoEncoder.open(x264!, { ...size, rateBps: 2e6 });
  const asked = [0, 5, 6, 17, 39];
  const frames = await encode(encoder, 40, number => asked.includes(number));
  encoder.close();
  assert.deepEqual(keys(frames), asked);
  for (const [number, frame] of frames.entries()) {
    // a key frame comes with its parameter sets: SPS 7, PPS 8, optional SEI 6, IDR slices 5
    const found = new Set(types(frame));
    assert.deepEqual(
      [7, 8, 5, 1].map(type => found.has(type)),
      asked.includes(number) ? [true, true, true, false] : [false, false, false, true],
      `frame ${number}`,
    );
  }
});

test('the first frame is a key frame in any case, and none follows by itself', async () => {
  const encoder = await VideoEncoder.open(x264!, { ...size, rateBps: 1e6 });
  assert.deepEqual(keys(await encode(encoder, 300)), [0]);
  encoder.close();
});

test('the rate changes between frames, without a key frame, and is kept to', async () => {
  const encoder = await VideoEncoder.open(x264!, { ...size, rateBps: 1e6 });
  await encode(encoder, 60, number => number === 0);
  for (const rateBps of [3e6, 600e3, 5e6, 300e3, 1e6]) {
    encoder.setRate(rateBps);
    assert.equal(encoder.rateBps, rateBps);
    const frames = await encode(encoder, 180);
    assert.deepEqual(keys(frames), []);
    const settled = bps(frames.slice(60));
    assert.ok(settled > 0.75 * rateBps && settled < 1.15 * rateBps, `${settled} at ${rateBps}`);
  }
  encoder.close();
});

test('no frame is larger than the bucket: a quarter of a second at the rate', async () => {
  for (const rateBps of [500e3, 2e6]) {
    const encoder = await VideoEncoder.open(x264!, { ...size, rateBps });
    const frames = await encode(encoder, 120, number => number % 20 === 0);
    for (const { data } of frames)
      assert.ok(data.length <= (rateBps / 8) * 0.25 * 1.1, `${data.length} bytes at ${rateBps}`);
    encoder.close();
  }
});

test('what cannot be opened is no encoder', async () => {
  const options = { ...size, rateBps: 1e6 };
  await assert.rejects(VideoEncoder.open({ ...x264!, codec: 'h264_nothing' }, options), {
    code: 'no-encoder',
    message: /h264_nothing/,
  });
  await assert.rejects(VideoEncoder.open(x264!, { ...options, preset: 'warp' }), {
    code: 'no-encoder',
    message: /libx264/,
  });
  await assert.rejects(VideoEncoder.open(x264!, { ...options, width: 0 }), { code: 'no-encoder' });
});

test('a closed encoder may be closed again', async () => {
  const encoder = await VideoEncoder.open(x264!, { ...size, rateBps: 1e6, threads: 1, preset: 'veryfast' });
  await encode(encoder, 2);
  encoder.close();
  encoder.close();
});

test('x264 is found by encoding with it', async () => {
  await probeEncoder(x264!);
  const level = av.Log.getLevel();
  assert.deepEqual(await chooseEncoder('libx264'), { kind: x264, passedOver: [] });
  assert.equal(av.Log.getLevel(), level);
});

test('without a GPU, NVENC is passed over with the reason', async t => {
  if (existsSync('/dev/nvidiactl')) return t.skip('this machine has an NVIDIA driver');
  await assert.rejects(probeEncoder(nvenc!), { code: 'no-encoder' });
  await assert.rejects(chooseEncoder('h264_nvenc'), {
    code: 'no-encoder',
    message: /no H\.264 encoder works here \(h264_nvenc: .+\)/,
    hint: /encoder=auto/,
  });
  const { kind, passedOver } = await chooseEncoder('auto');
  assert.equal(kind, x264);
  assert.equal(passedOver.length, 1);
  assert.match(passedOver[0]!, /^h264_nvenc: ./);
});
