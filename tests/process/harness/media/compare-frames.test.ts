import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findVmafProgram } from '../../../../harness/analysis/quality/vmaf-program.ts';
import { type ComparisonAnswer, type ComparisonTask, compareFrames } from '../../../../harness/media/compare-frames.ts';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { type Clip, loadClip } from '../../../../server/media/clip.ts';
import { VideoEncoder } from '../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../server/media/encoder-kinds.ts';
import { ivfFrame, ivfHeader } from '../../../../server/media/ivf.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { sharedStart } from '../../../unit/support/shared-start.ts';
import '../../../unit/server/support/frames.ts';

const folder = temporaryFolder();
const path = join(folder, 'clip.mp4');
const size = { width: 640, height: 360 };
const frameCount = 12;
const frameRate = 60;
const x264 = encoderKinds.find(({ codec }) => codec === 'libx264')!;
let clip: Clip;

/** Encodes these periods as a sender would, each from the clip's frame at that time, and keeps the encoded frames. */
async function keep(
  name: string,
  numbers: readonly number[],
  { rateBps = 8e6, frameOf = (number: number) => number % frameCount } = {},
): Promise<string> {
  const encoder = await VideoEncoder.open(x264, { ...size, frameRate, rateBps });
  const parts = [ivfHeader({ ...size, frameRate })];
  for (const number of numbers)
    parts.push(ivfFrame(number, (await encoder.encode(clip.frames[frameOf(number)]!, false))!.data));
  encoder.close();
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

const task = (
  video: string,
  pairs: readonly (readonly [number, number])[],
  vmafProgram: string | null = null,
): ComparisonTask => ({
  video,
  clip: { path, ...size, maxSeconds: 10 },
  frameRate,
  pairs: pairs.map(([shownFrame, wantedFrame]) => ({ shownFrame, wantedFrame })),
  vmafProgram,
  scratch: folder,
});
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

sharedStart(
  async () => {
    await generateClip(path, frameCount);
    clip = await loadClip(path, { ...size, maxSeconds: 10 });
  },
  () => clip?.frames.forEach(frame => frame.free()),
);

test('frames shown in time are like the clip, one that stays is ever less', async () => {
  const { scores, ...proof } = await compareFrames(
    task(await keep('stay.ivf', numbers(10)), [
      [0, 0],
      [1, 1],
      [2, 2],
      [2, 3],
      [2, 4],
      [2, 5],
      [6, 6],
    ]),
  );
  assert.deepEqual(proof, { shownPictures: 4, numbersRight: 4, numbersOld: 0, numbersUnread: 0 });
  const [first, second, third, ...rest] = scores;
  for (const score of [first!, second!, third!, rest.pop()!])
    assert.ok(score.psnrDb > 30 && score.ssim > 0.9, JSON.stringify(score));
  for (const score of rest)
    assert.ok(score.psnrDb < 25 && score.ssim < 0.85 && score.vmaf === null, JSON.stringify(score));
});

test("periods beyond the clip's end are those of its start", async () => {
  const { scores } = await compareFrames(
    task(await keep('loop.ivf', numbers(30)), [
      [11, 11],
      [12, 12],
      [25, 25],
      [25, 26],
    ]),
  );
  assert.deepEqual(
    scores.map(({ psnrDb }) => psnrDb > 30),
    [true, true, true, false],
  );
});

test('less rate is worse quality', async () => {
  const quality = async (name: string, rateBps: number) =>
    (await compareFrames(task(await keep(name, numbers(40), { rateBps }), [[39, 39]]))).scores[0]!;
  const [rich, poor] = [await quality('rich.ivf', 8e6), await quality('poor.ivf', 300e3)];
  assert.ok(rich.psnrDb > poor.psnrDb + 2 && rich.ssim > poor.ssim, JSON.stringify([rich, poor]));
});

test('a frame that is not the one it should be is refused', async () => {
  const shifted = await keep('shifted.ivf', numbers(6), { frameOf: number => (number + 1) % frameCount });
  await assert.rejects(compareFrames(task(shifted, [[3, 3]])), {
    code: 'bad-run-folder',
    message: /frame 3 of .* shows the number 4, the clip's shows 3/,
  });
});

test('a frame that was not redrawn shows an earlier number; where all do, the frames are the wrong ones', async () => {
  const some = await keep('some-old.ivf', numbers(8), {
    frameOf: number => (number === 5 || number === 6 ? 4 : number),
  });
  const { scores, ...proof } = await compareFrames(
    task(some, [
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 6],
      [7, 7],
    ]),
  );
  assert.deepEqual(proof, { shownPictures: 5, numbersRight: 3, numbersOld: 2, numbersUnread: 0 });
  assert.deepEqual(
    scores.map(({ psnrDb }) => psnrDb > 30),
    [true, true, false, false, true],
  );
  const late = await keep('all-old.ivf', numbers(6), { frameOf: number => (number + frameCount - 1) % frameCount });
  await assert.rejects(
    compareFrames(
      task(late, [
        [2, 2],
        [3, 3],
      ]),
    ),
    { code: 'bad-run-folder', message: /not one frame of .* shows its own number, 2 show an earlier one/ },
  );
});

test('a frame that was never encoded cannot have been shown', async () => {
  await assert.rejects(
    compareFrames(
      task(await keep('few.ivf', [0, 1, 3]), [
        [0, 0],
        [2, 2],
      ]),
    ),
    { code: 'bad-run-folder', message: /has no frame 2, which was shown/ },
  );
});

test('nothing to compare is no failure', async () => {
  assert.deepEqual(await compareFrames(task(await keep('none.ivf', [0]), [])), {
    scores: [],
    shownPictures: 0,
    numbersRight: 0,
    numbersOld: 0,
    numbersUnread: 0,
  });
});

test('VMAF: near 100 for a good frame, far below for one that stays', async t => {
  const found = await findVmafProgram();
  if ('missing' in found) return t.skip(found.missing);
  const { scores } = await compareFrames(
    task(
      await keep('vmaf.ivf', numbers(10), { rateBps: 20e6 }),
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
        [3, 4],
        [3, 5],
      ],
      found.program,
    ),
  );
  const vmafs = scores.map(({ vmaf }) => vmaf!);
  assert.ok(
    vmafs.slice(0, 4).every(vmaf => vmaf > 80 && vmaf <= 100) && vmafs.slice(4).every(vmaf => vmaf < 60),
    JSON.stringify(vmafs),
  );
});

test('a program that is no FFmpeg with libvmaf is told', async () => {
  await assert.rejects(
    compareFrames(
      task(
        await keep('false.ivf', numbers(3)),
        [
          [0, 0],
          [1, 1],
        ],
        '/bin/false',
      ),
    ),
    { code: 'command-failed', message: /could not compute VMAF/ },
  );
});

const program = fileURLToPath(new URL('../../../../harness/media/compare-frames.ts', import.meta.url));
const asProgram = (given: ComparisonTask) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    input: JSON.stringify(given),
    encoding: 'utf8',
  });

test('as a program: JSON in, JSON out, or a line and status 1', async () => {
  const given = task(await keep('program.ivf', numbers(4)), [
    [1, 1],
    [2, 2],
  ]);
  const { status, stdout } = asProgram(given);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout) as ComparisonAnswer, await compareFrames(given));
  const missing = asProgram({ ...given, clip: { ...given.clip, path: join(folder, 'missing.mp4') } });
  assert.deepEqual([missing.status, missing.stdout], [1, '']);
  assert.match(missing.stderr, /^the clip .*missing\.mp4 does not exist\n {2}-> /);
});
