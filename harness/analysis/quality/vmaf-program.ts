/** Finds an FFmpeg that can compute VMAF, by a short computation. */
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

/** Folder in which set-up installs imageio-ffmpeg. */
const vmafFolder = join(cacheFolder, 'vmaf');

/** Hint for a user without such an FFmpeg. */
export const vmafMend = 'bring one with "npm run setup -- vmaf", or name one with COEXIST_FFMPEG';

/** Program and version, or a sentence on the missing program. */
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

/** Output of a program; undefined if it cannot be started or fails. */
async function outputOf(argv: readonly string[]): Promise<string | undefined> {
  try {
    const { status, stdout } = await run(argv, { allowFailure: true });
    return status === 0 ? stdout : undefined;
  } catch {
    return undefined; // it cannot be started
  }
}

/**
 * Tries `named` (COEXIST_FFMPEG) if it is set. Otherwise tries the FFmpeg of the PATH, then that of Python's
 * imageio-ffmpeg, which set-up installs in the cache.
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
