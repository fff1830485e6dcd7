/**
 * Compares the shown frames with the frames of the clip, trial by trial. This is done after the study, when no
 * measurement runs.
 *
 * Only trials that kept their video (service.pictureQuality) and have no comparison yet are compared. The results are
 * written into the trial's folder as a series of the record, so that summaries read them like any other series.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { z } from '../../../core/schema/schema.ts';
import { run } from '../../../core/system/command.ts';
import { makeOwnFolder } from '../../../core/system/folders.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';
import { withScratch } from '../../../core/system/scratch.ts';
import { videoFileName } from '../../../server/media/ivf.ts';
import type { Chosen } from '../../definition/applications.ts';
import type { Plan } from '../../definition/plan.ts';
import type { ComparisonAnswer, ComparisonTask } from '../../media/compare-frames.ts';
import { vmafModel } from '../../media/vmaf.ts';
import type { RunFolder } from '../../record/run-folder.ts';
import type { Series } from '../../record/schema/series.ts';
import { presentedSeries } from '../../record/series/frames.presented.ts';
import { type PictureComparisonRecord, pictureComparisonSeries } from '../../record/series/picture-comparison.ts';
import { pictureQualitySeries } from '../../record/series/picture-quality.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { heldUpOf } from '../derive/presented-times.ts';
import { presentations, type ShownFrame, shownFrames } from './shown-frames.ts';
import { findVmafProgram, type VmafProgram, vmafMend } from './vmaf-program.ts';

const comparer = fileURLToPath(new URL('../../media/compare-frames.ts', import.meta.url));
/**
 * Time limit of one comparison, ms. A frame of 1080p takes a fifth of a second of one core with VMAF. An hour of video
 * at 60 frames a second takes longer than this limit.
 */
const mostMs = 6 * 3600e3;

const count = z.int().min(0);

/**
 * Returns the schema for the answer of the comparing program, which has a score for each of `pairs` pairs of frames.
 */
const answerOf = (pairs: number): z.ZodType<ComparisonAnswer> =>
  z.strictObject({
    scores: z
      .array(z.strictObject({ psnrDb: z.number(), ssim: z.number(), vmaf: z.number().nullable() }))
      .length(pairs, { error: `there is no score for each of ${pairs} pairs` }),
    shownPictures: count,
    numbersRight: count,
    numbersOld: count,
    numbersUnread: count,
  });

type Assessment = {
  folder: RunFolder;
  /** Plan, made again from its definition after the hashes of its files have been checked. */
  plan: Pick<Plan, 'conditions'>;
  /** Returns the clip that a service shows. Null if its client keeps no video. */
  clipOf(service: Chosen): (ComparisonTask['clip'] & { frameRate: number }) | null;
  say(text: string): void;
};

/**
 * Returns the service as in the plan, not as in the record: a record may come from elsewhere and name any file of this
 * machine.
 */
function serviceIn({ conditions }: Assessment['plan'], { file, application }: TrialRecord): Chosen {
  const planned = conditions
    .find(({ id }) => id === file.trial.condition)
    ?.applications.find(({ name }) => name === application.name);
  if (planned !== undefined) return planned.service;
  throw new CoexistError('bad-run-folder', `the plan has no application "${application.name}" in ${file.trial.id}`);
}

function writeSeries<R extends object>(
  folder: RunFolder,
  record: TrialRecord,
  series: Series<R>,
  lines: readonly R[],
): void {
  const directory = relative(folder.path, record.directory);
  makeOwnFolder(folder.path, directory); // the folder exists; the call refuses a symbolic link in its place
  folder.writeText(join(directory, series.file), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
}

async function pairsOf(record: TrialRecord, frameRate: number): Promise<ShownFrame[]> {
  const sent = await record.sentFrames();
  const frameOf = new Map(sent.map(({ rtpTimestamp, frame }) => [rtpTimestamp, frame]));
  const numbers = sent.map(({ frame }) => frame).sort((a, b) => a - b);
  return shownFrames(
    presentations(await record.read(presentedSeries), frameOf, numbers, await heldUpOf(record)),
    record.window,
    frameRate,
  );
}

async function compare(
  record: TrialRecord,
  { clip, frameRate }: Pick<ComparisonTask, 'clip' | 'frameRate'>,
  pairs: readonly ShownFrame[],
  vmaf: VmafProgram,
  scratch: string,
  signal: AbortSignal,
): Promise<ComparisonAnswer> {
  const task: ComparisonTask = {
    video: join(record.directory, videoFileName),
    clip,
    frameRate,
    pairs: pairs.map(({ shownFrame, wantedFrame }) => ({ shownFrame, wantedFrame })),
    vmafProgram: 'missing' in vmaf ? null : vmaf.program,
    scratch,
  };
  const { status, stdout, stderr } = await run([process.execPath, '--disable-warning=ExperimentalWarning', comparer], {
    input: JSON.stringify(task),
    allowFailure: true,
    timeoutMs: mostMs,
    signal,
  });
  if (status !== 0)
    throw new CoexistError(
      'command-failed',
      stderr.trim().split('\n')[0] || 'the program that compares frames crashed',
    );
  return readToldJson('the program that compares frames', stdout, answerOf(pairs.length), 'command-failed');
}

async function assess(
  { folder, plan, clipOf }: Assessment,
  record: TrialRecord,
  vmaf: VmafProgram,
  signal: AbortSignal,
): Promise<void> {
  const comparison: PictureComparisonRecord = {
    vmaf: null,
    vmafMissing: 'missing' in vmaf ? `${vmaf.missing}; ${vmafMend}` : null,
    problem: null,
    shownPictures: 0,
    numbersRight: 0,
    numbersOld: 0,
    numbersUnread: 0,
  };
  await withScratch(async scratch => {
    try {
      const service = serviceIn(plan, record);
      const shown = clipOf(service);
      if (shown === null)
        throw new CoexistError('bad-run-folder', `${record.directory} has a video, and ${service.title} keeps none`);
      const { frameRate, ...clip } = shown;
      const pairs = await pairsOf(record, frameRate);
      const { scores, ...numbers } = await compare(record, { clip, frameRate }, pairs, vmaf, scratch, signal);
      Object.assign(comparison, numbers);
      if (!('missing' in vmaf)) comparison.vmaf = { program: `FFmpeg ${vmaf.version}`, model: vmafModel };
      writeSeries(
        folder,
        record,
        pictureQualitySeries,
        pairs.map((pair, i) => ({ ...pair, ...scores[i]! })),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CoexistError && error.code === 'disk-full') throw error;
      comparison.problem = messageOf(error);
    }
  });
  writeSeries(folder, record, pictureComparisonSeries, [comparison]);
}

/**
 * Returns the trials to compare. They kept their video, and either have no comparison yet, or have one without VMAF
 * while VMAF is available now.
 */
async function uncompared(folder: RunFolder, vmaf: () => Promise<VmafProgram>): Promise<TrialRecord[]> {
  const chosen: TrialRecord[] = [];
  for (const name of folder.trialNames()) {
    const trial = folder.record(name);
    for (const { name: application } of trial.file.applications) {
      const record = trial.as(application);
      if (record.file.phases === null || !existsSync(join(record.directory, videoFileName))) continue;
      const [before] = await record.read(pictureComparisonSeries);
      if (before === undefined || (before.vmafMissing !== null && 'program' in (await vmaf()))) chosen.push(record);
    }
  }
  return chosen;
}

/** Compares the frames of all trials that kept their video and need a comparison. Leaves out void trials. */
export async function assessQuality(own: Assessment, signal: AbortSignal): Promise<void> {
  const { folder, say } = own;
  let found: Promise<VmafProgram> | undefined;
  const vmaf = () => (found ??= findVmafProgram());
  const records = await uncompared(folder, vmaf);
  for (const [i, record] of records.entries()) {
    signal.throwIfAborted();
    const program = await vmaf();
    say(
      `comparing the frames shown with the clip's: ${i + 1} of ${records.length}${'missing' in program ? ', without VMAF' : ''}`,
    );
    await assess(own, record, program, signal);
  }
}
