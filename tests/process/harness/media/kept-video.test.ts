import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nobody } from '../../../../core/system/unprivileged.ts';
import { isInUserNamespace } from '../../../../core/system/user-namespace.ts';
import { readFrameNumber } from '../../../../harness/media/frame-number.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { type KeptFrame, withKeptVideo } from '../../../../harness/media/kept-video.ts';
import { loadClip } from '../../../../server/media/clip.ts';
import { VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import { ivfFrame, ivfHeader } from '../../../../server/media/ivf.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { below, ofRunning } from '../../../unit/support/process-tree.ts';
import { sharedStart } from '../../../unit/support/shared-start.ts';
import '../../../unit/server/support/frames.ts';

const folder = temporaryFolder();
const frameCount = 12;
const frameRate = 60;
const [large, small] = [
  { width: 640, height: 360 },
  { width: 320, height: 180 },
];
const x264 = encoderKinds.find(({ codec }) => codec === 'libx264')!;
const { execPath } = process;
let path: string;

/** Encodes these periods as a sender would, each from the clip's frame at that time. */
async function encoded(size: typeof large, numbers: readonly number[]): Promise<Buffer[]> {
  const clip = await loadClip(join(folder, 'clip.mp4'), { ...size, maxSeconds: 10 });
  const encoder = await VideoEncoder.open(x264, { ...size, frameRate, rateBps: 8e6 });
  const parts: Buffer[] = [];
  for (const number of numbers)
    parts.push(ivfFrame(number, (await encoder.encode(clip.frames[number % frameCount]!, false))!.data));
  encoder.close();
  for (const frame of clip.frames) frame.free();
  return parts;
}

function keep(name: string, ...parts: Buffer[]): string {
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat([ivfHeader({ ...large, frameRate }), ...parts]));
  return file;
}

const sent = [0, 1, 2, 5, 6, 13, 30];

sharedStart(async () => {
  await generateClip(join(folder, 'clip.mp4'), frameCount);
  path = keep('video.ivf', ...(await encoded(large, sent)));
});
after(() => {
  process.execPath = execPath;
});

const all = <T>(file: string, of: (frame: KeptFrame) => T): Promise<T[]> =>
  withKeptVideo(file, async (_, frames) => {
    const found: T[] = [];
    for await (const frame of frames) found.push(of(frame));
    return found;
  });

test('what is decoded again bears the numbers that were painted, also where periods have no frame', async () => {
  assert.deepEqual(
    await all(path, ({ number, luma, planes }) => [number, readFrameNumber(luma), planes.length]),
    sent.map(number => [number, number % frameCount, large.width * large.height * 1.5]),
  );
});

/** Returns status and limits of the decoder that runs as a descendant of this process. */
function decoderStatus(): Record<'status' | 'limits', string> {
  for (const id of below(process.pid)) {
    const [program, ...words] = ofRunning(() => readFileSync(`/proc/${id}/cmdline`, 'utf8'), '').split('\0');
    if (program !== process.execPath || !words.some(word => word.endsWith('decode-video.ts'))) continue;
    return {
      status: readFileSync(`/proc/${id}/status`, 'utf8'),
      limits: readFileSync(`/proc/${id}/limits`, 'utf8'),
    };
  }
  return assert.fail('no decoder runs');
}

test('a program decodes it that is nobody, has no capability, and has an end to its memory; it ends with its use', {
  skip: process.getuid?.() === 0 && !isInUserNamespace() ? false : 'needs root, which can become nobody',
}, async () => {
  chmodSync(path, 0o600);
  const { status, limits } = await withKeptVideo(path, async (size, frames) => {
    assert.deepEqual(size, large);
    for await (const _ of frames) return decoderStatus();
    return assert.fail('it has no frame');
  });
  assert.match(status, new RegExp(`^Uid:\\t${nobody}\\t${nobody}\\t${nobody}\\t${nobody}$`, 'm'));
  for (const kind of ['Inh', 'Prm', 'Eff', 'Amb']) assert.match(status, new RegExp(`^Cap${kind}:\\t0{16}$`, 'm'));
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.match(limits, /^Max data size +3221225472 +3221225472 /m);
  assert.throws(decoderStatus, /no decoder runs/);
});

async function refused(file: string, reason: RegExp): Promise<void> {
  await assert.rejects(
    all(file, () => null),
    (error: Error & { code?: string; hint?: string }) => {
      assert.match(error.message, /^the kept video [^\n]*$/);
      assert.match(error.message, reason);
      return error.code === 'bad-run-folder' && error.hint !== undefined;
    },
  );
}

test('what is no video, or one of which not all frames are alike, is refused in a line', async () => {
  const [start, end] = [await encoded(large, [0, 1, 2]), await encoded(small, [3, 4, 5])];
  await refused(
    keep('two.ivf', ...start, ...end),
    /two\.ivf cannot be decoded: it has frames of 640x360 and of 320x180$/,
  );
  await refused(keep('none.ivf'), /cannot be decoded: not one frame could be decoded$/);
  await refused(keep('noise.ivf', ivfFrame(0, Buffer.alloc(5000, 7))), /cannot be decoded: /);
  writeFileSync(join(folder, 'other.ivf'), 'no video at all, but longer than a header');
  await refused(join(folder, 'other.ivf'), /cannot be decoded: it is no IVF file$/);
  await refused(join(folder, 'missing.ivf'), /missing\.ivf does not exist$/);
});

test('a pipe in its place, which would never end, is no video', async () => {
  const pipe = join(folder, 'pipe.ivf');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  await refused(pipe, /pipe\.ivf does not exist$/);
});

/** Decodes with a shell program in place of the decoder, and expects an error. */
async function decodedBy(script: string, reason: RegExp): Promise<void> {
  const program = join(folder, 'decoder');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  process.execPath = program;
  try {
    await refused(path, reason);
  } finally {
    process.execPath = execPath;
    rmSync(program);
  }
}

test('a decoder that was taken over, or that crashes, tells nothing but that', async () => {
  await decodedBy('kill -SEGV $$', /crashed on it \(SIGSEGV\)$/);
  for (const size of ['"width":-2,"height":2', '"width":3,"height":2', '"width":2,"height":1e9', '"width":2'])
    await decodedBy(`echo '{${size}}'`, /the decoder: /);
  await decodedBy(`echo '{"width":2,"height":2}'; printf 1234567890`, /its last frame is not whole$/);
});
