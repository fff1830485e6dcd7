/** Finds an FFmpeg that can compute VMAF. Tests each candidate by a short computation. */
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

/** Folder in which set-up installs imageio-ffmpeg. */
const vmafFolder = join(cacheFolder, 'vmaf');

/** Hint for a user who has no FFmpeg that can compute VMAF. */
export const vmafMend = 'bring one with "npm run setup -- vmaf", or name one with COEXIST_FFMPEG';

/** Program and its version, or a sentence on the reason why no program was found. */
export type VmafProgram = { program: string; version: string } | { missing: string };

/** Arguments for the short computation: VMAF of a tenth of a second of a test card against itself. */
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

/** Returns the output of a program; undefined if the program cannot be started or fails. */
async function outputOf(argv: readonly string[]): Promise<string | undefined> {
  try {
    const { status, stdout } = await run(argv, { allowFailure: true });
    return status === 0 ? stdout : undefined;
  } catch {
    return undefined; // the program cannot be started
  }
}

/**
 * Tries only the program `named` (COEXIST_FFMPEG) if it is set. Otherwise tries the FFmpeg of the PATH, and then the
 * FFmpeg of Python's imageio-ffmpeg, which set-up installs in the cache.
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
