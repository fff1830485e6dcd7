import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../../core/system/deadline.ts';
import { assessQuality } from '../../../../../harness/analysis/quality/assess.ts';
import type { Chosen } from '../../../../../harness/definition/applications.ts';
import { generateClip } from '../../../../../harness/media/generate-clip.ts';
import type { RunFolder } from '../../../../../harness/record/run-folder.ts';
import { pictureComparisonSeries } from '../../../../../harness/record/series/picture-comparison.ts';
import { pictureQualitySeries } from '../../../../../harness/record/series/picture-quality.ts';
import { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { type Clip, loadClip } from '../../../../../server/media/clip.ts';
import { VideoEncoder } from '../../../../../server/media/encoder.ts';
import { encoderKinds } from '../../../../../server/media/encoder-kinds.ts';
import { ivfFrame, ivfHeader } from '../../../../../server/media/ivf.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';
import { planOf } from '../../../../unit/harness/support/plan.ts';
import { endMs, presented, startMs, writeRecord } from '../../../../unit/harness/support/record.ts';
import { commitTrial, createFolder, fileOf, voided } from '../../../../unit/harness/support/run-folder.ts';
import { sharedStart } from '../../../../unit/support/shared-start.ts';
import '../../../../unit/server/support/frames.ts';

const folder = temporaryFolder();
const clipPath = join(folder, 'clip.mp4');
const stream = { clip: 'mine', clipLength: 10_000, width: 320, height: 180, frameRate: 60 };
const periodMs = 1000 / stream.frameRate;
const x264 = encoderKinds.find(({ codec }) => codec === 'libx264')!;
/** Environment with a private folder for temporary files, and without FFmpeg, since VMAF is tested elsewhere. */
const surroundings = { TMPDIR: join(folder, 'scratch'), COEXIST_FFMPEG: join(folder, 'no-ffmpeg') };
let clip: Clip;
let video: Buffer;

sharedStart(
  async () => {
    mkdirSync(surroundings.TMPDIR);
    Object.assign(process.env, surroundings);
    await generateClip(clipPath, 30);
    clip = await loadClip(clipPath, { width: 320, height: 180, maxSeconds: 10 });
    const encoder = await VideoEncoder.open(x264, { ...stream, rateBps: 4e6 });
    const parts = [ivfHeader(stream)];
    for (let number = 0; number < 60; number++)
      parts.push(ivfFrame(number, (await encoder.encode(clip.frames[number % 30]!, false))!.data));
    encoder.close();
    video = Buffer.concat(parts);
  },
  () => {
    for (const name of Object.keys(surroundings)) delete process.env[name];
    clip?.frames.forEach(frame => frame.free());
  },
);

/** `planned`: id of the condition in the plan if it is not that of the record. */
type Kept = { kept?: Buffer; change?: object; planned?: string };

/**
 * Writes a run with one trial that showed frames 0, 1, 2, 3 in its last periods, and then frame 3 in place of frames 4
 * and 5.
 */
function runOf(name: string, { kept = video, change = {}, planned }: Kept = {}): RunFolder {
  const made = planOf();
  const applications = made.conditions[0]!.applications.map(one =>
    one.name === 'service' ? { ...one, service: { ...one.service, params: stream } } : one,
  );
  const condition = { ...made.conditions[0]!, applications };
  const plan = { ...made, conditions: [condition, ...made.conditions.slice(1)] };
  const inFolder = planned === undefined ? plan : { ...plan, conditions: [{ ...condition, id: planned }] };
  const run = createFolder(folder, name, inFolder);
  commitTrial(run, fileOf(plan, 1, { condition, ...change }), directory => {
    writeRecord(directory, {
      'frames.sent': Array.from({ length: 60 }, (_, frame) => ({
        frame,
        rtpTimestamp: 1500 * frame,
        captureMs: startMs,
      })),
      'frames.presented': [0, 1, 2, 3].map(number =>
        presented(endMs - (6 - number) * periodMs, number + 1, 1500 * number),
      ),
    });
    if (kept.length > 0) writeFileSync(join(directory, 'applications', 'service', 'video.ivf'), kept);
  });
  return run;
}

/** Returns the clip that a service of this test shows. */
function clipOf({ params }: Chosen) {
  const { clip: name, clipLength, ...video } = params as typeof stream;
  return { ...video, path: name === 'mine' ? clipPath : join(folder, 'no-clip'), maxSeconds: clipLength / 1000 };
}

async function assessed(run: RunFolder, signal = new AbortController().signal) {
  const said: string[] = [];
  const { plan } = run.planFile();
  await assessQuality({ folder: run, plan, clipOf, say: text => said.push(text) }, signal);
  const [name] = run.trialNames();
  const record = name === undefined ? undefined : new TrialRecord(run.trialFile(name), run.trialFolder(name));
  return {
    said,
    compared: (await record?.read(pictureQualitySeries)) ?? [],
    comparison: (await record?.read(pictureComparisonSeries))?.[0],
  };
}

test('a kept video is compared, period by period, and the painted numbers prove it', async () => {
  const { said, compared, comparison } = await assessed(runOf('kept'));
  assert.deepEqual(said, ["comparing the frames shown with the clip's: 1 of 1, without VMAF"]);
  assert.deepEqual(
    compared.map(({ shownFrame, wantedFrame }) => [shownFrame, wantedFrame]),
    [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
      [3, 4],
      [3, 5],
    ],
  );
  assert.ok(
    compared.slice(0, 4).every(({ psnrDb }) => psnrDb > 28) && compared.slice(4).every(({ psnrDb }) => psnrDb < 25),
    JSON.stringify(compared),
  );
  assert.deepEqual(
    [comparison!.shownPictures, comparison!.numbersRight, comparison!.problem, comparison!.vmaf],
    [4, 4, null, null],
  );
  assert.match(comparison!.vmafMissing!, /no FFmpeg with libvmaf/);
});

test('what the program that compares prints is read through a schema', async () => {
  const { execPath } = process;
  const program = join(folder, 'prints');
  const numbers = '"shownPictures":4,"numbersRight":4,"numbersOld":0,"numbersUnread":0';
  try {
    for (const [name, printed, problem] of [
      ['printed-text', 'nonsense', /^the program that compares frames told "nonsense[^"]*", which is not JSON$/],
      ['printed-null', 'null', /^what the program that compares frames tells: null is not an object$/],
      ['printed-few', `{"scores":[],${numbers}}`, /tells: scores: there is no score for each of 6 pairs$/],
      ['printed-more', `{"scores":[{"psnrDb":"x"}],${numbers}}`, /tells: scores\./],
    ] as const) {
      writeFileSync(program, `#!/bin/sh\ncat > /dev/null\necho '${printed}'\n`, { mode: 0o755 });
      process.execPath = program;
      const { compared, comparison } = await assessed(runOf(name));
      assert.match(comparison!.problem ?? 'none', problem);
      assert.deepEqual([compared, comparison!.shownPictures], [[], 0]);
    }
  } finally {
    process.execPath = execPath;
  }
});

test('where the series of a trial lie behind a link, nothing is written there', async () => {
  const run = runOf('linked');
  const [applications, elsewhere] = [join(run.path, 'trials', '0001-all', 'applications'), join(folder, 'elsewhere')];
  renameSync(applications, elsewhere);
  symlinkSync(elsewhere, applications);
  await assert.rejects(assessed(run), { code: 'bad-run-folder', message: /applications is a link, / });
  assert.ok(!readdirSync(join(elsewhere, 'service')).some(name => name.startsWith('picture-')));
});

test('what was compared is not compared again', async () => {
  const run = runOf('again');
  await assessed(run);
  assert.deepEqual((await assessed(run)).said, []);
});

/** Makes a stand-in for FFmpeg, which reads the frames as FFmpeg does and writes a different score for each pair. */
function standIn(): string {
  const file = join(folder, 'ffmpeg.mjs');
  writeFileSync(
    file,
    `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs';
const size = process.argv[process.argv.indexOf('-video_size') + 1];
if (process.argv.includes('-version')) console.log('ffmpeg version stand-in');
else if (!process.argv.includes('lavfi')) {
  const [width, height] = size.split('x').map(Number);
  const [shown, wanted] = [3, 4].map(pipe => readFileSync(pipe));
  const bytes = width * height * 1.5;
  const vmaf = frameNum => (shown.length === wanted.length ? 70 + frameNum : 0);
  const frames = Array.from({ length: shown.length / bytes }, (_, frameNum) => ({
    frameNum,
    metrics: { vmaf: vmaf(frameNum) },
  }));
  writeFileSync('scores.json', JSON.stringify({ frames }));
}
`,
  );
  chmodSync(file, 0o755);
  return file;
}

test('what was compared without VMAF is compared again when there is a program for it', async () => {
  const run = runOf('later');
  assert.equal((await assessed(run)).comparison!.vmaf, null);
  process.env['COEXIST_FFMPEG'] = standIn();
  try {
    const { said, compared, comparison } = await assessed(run);
    assert.deepEqual(said, ["comparing the frames shown with the clip's: 1 of 1"]);
    assert.deepEqual(comparison!.vmaf, { program: 'FFmpeg stand-in', model: 'vmaf_v0.6.1' });
    assert.equal(comparison!.vmafMissing, null);
    assert.deepEqual(
      compared.map(({ vmaf }) => vmaf),
      [70, 71, 72, 73, 74, 75],
    );
    assert.deepEqual((await assessed(run)).said, []);
  } finally {
    Object.assign(process.env, surroundings);
  }
});

test('trials that kept no video, or do not count, are left alone', async () => {
  for (const run of [runOf('none', { kept: Buffer.alloc(0) }), runOf('void', { change: { verdict: voided } })])
    assert.deepEqual((await assessed(run)).said, []);
});

test('a video that cannot be compared is a word about it, and no end of the others', async () => {
  const { compared, comparison } = await assessed(
    runOf('broken', { kept: Buffer.from('no video at all, but longer than a header') }),
  );
  assert.deepEqual(compared, []);
  assert.match(comparison!.problem!, /^the kept video .*video\.ivf cannot be decoded: it is no IVF file$/);
});

const written = (run: RunFolder) =>
  readdirSync(run.trialFolder(run.trialNames()[0]!)).filter(name => name.startsWith('picture-'));

test('an interruption ends it, and leaves nothing half-written', async () => {
  const run = runOf('interrupted');
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await assert.rejects(assessed(run, stop.signal), /enough/);
  assert.deepEqual(written(run), []);
});

test('the clip is that of the plan: a record that names another file has it not opened', async () => {
  const applications = { facts: { clip: { path: '/etc/passwd' } } };
  const { comparison } = await assessed(runOf('strange', { change: applications }));
  assert.deepEqual([comparison!.problem, comparison!.numbersRight], [null, 4]);
  const { comparison: unknown } = await assessed(runOf('unknown', { planned: 'other' }));
  assert.match(unknown!.problem!, /^the plan has no application "service" in 0001-all$/);
});

test('so does one while frames are compared', async () => {
  const run = runOf('in-the-middle');
  const stop = new AbortController();
  const say = () =>
    void until(() => (readdirSync(surroundings.TMPDIR).length > 0 ? true : undefined), 30_000, 'the comparison').then(
      () => stop.abort(new Error('enough')),
    );
  await assert.rejects(assessQuality({ folder: run, plan: run.planFile().plan, clipOf, say }, stop.signal), /enough/);
  assert.deepEqual(written(run), []);
  assert.deepEqual(readdirSync(surroundings.TMPDIR), []);
  assert.equal((await assessed(run)).comparison!.problem, null); // the comparison can be repeated
});
