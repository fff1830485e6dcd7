/** An FFmpeg that can compute VMAF, found by having it compute one. */
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

/** Where set-up puts imageio-ffmpeg. */
const vmafFolder = join(cacheFolder, 'vmaf');

/** What to do where there is none. */
export const vmafMend = 'bring one with "npm run setup -- vmaf", or name one with COEXIST_FFMPEG';

/** The program and its version, or what is missing. */
export type VmafProgram = { program: string; version: string } | { missing: string };

/** VMAF of a tenth of a second of a test card against itself. */
const trial = [
  '-hide_banner',
  '-loglevel',
  'error',
  '-nostdin',
  ...['-f', 'lavfi', '-i', 'testsrc2=size=160x120:duration=0.1'],
  ...['-f', 'lavfi', '-i', 'testsrc2=size=160x120:duration=0.1'],
  '-lavfi',
  '[0:v][1:v]libvmaf',
  '-f',
  'null',
  '-',
];

/** What a program prints, where it can be started and ends well. */
async function outputOf(argv: readonly string[]): Promise<string | undefined> {
  try {
    const { status, stdout } = await run(argv, { allowFailure: true });
    return status === 0 ? stdout : undefined;
  } catch {
    return undefined; // it cannot be started: that is an answer
  }
}

/**
 * Asked are `named` (COEXIST_FFMPEG), or else the FFmpeg of the PATH and the one that Python's imageio-ffmpeg brings,
 * which set-up puts into the cache.
 */
export async function findVmafProgram(named = process.env['COEXIST_FFMPEG']): Promise<VmafProgram> {
  const imageio = async () =>
    (
      await outputOf([
        'python3',
        '-c',
        `import sys; sys.path.insert(0, ${JSON.stringify(vmafFolder)}); import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())`,
      ])
    )?.trim();
  const candidates =
    named !== undefined && named !== ''
      ? [named]
      : ['ffmpeg', await imageio()].filter(program => program !== undefined);
  for (const program of candidates) {
    if ((await outputOf([program, ...trial])) === undefined) continue;
    return {
      program,
      version: /^ffmpeg version (\S+)/.exec((await outputOf([program, '-version'])) ?? '')?.[1] ?? 'unknown',
    };
  }
  return { missing: `no FFmpeg with libvmaf was found (asked: ${candidates.join(', ')})` };
}
