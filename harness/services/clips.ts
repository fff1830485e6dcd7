/** Clips by name. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../base/command.ts';
import { CoexistError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { cacheDirectory } from '../base/paths.ts';

const shipped = fileURLToPath(new URL('../../server/media/clips/', import.meta.url));

/** Where set-up puts the generated clip. */
export const generatedClip = join(cacheDirectory, 'clips', 'high-motion-720p60.mp4');

const named: Record<string, string> = {
  'high-motion': generatedClip,
  'bigbuckbunny': join(shipped, 'bigbuckbunny.mp4'),
};

export function clipPath(nameOrFile: string): string {
  return Object.hasOwn(named, nameOrFile) ? named[nameOrFile]! : resolve(nameOrFile);
}

const prober = fileURLToPath(new URL('../../server/media/probe-clip.ts', import.meta.url));

/**
 * Opens the clip and decodes its first pictures, in a process of its own: a decoder that crashes on a hostile file
 * takes nothing with it. Throws `bad-clip` with the reason.
 */
export async function checkClip(nameOrFile: string): Promise<void> {
  const path = clipPath(nameOrFile);
  if (path === generatedClip && !existsSync(path)) {
    throw new CoexistError('bad-clip', 'the generated clip is missing', { hint: 'make it with "npm run setup"' });
  }
  const { status, signal, stderr } = await run([process.execPath, prober, path], { allowFailure: true, timeoutMs: 30_000 });
  if (status === 0) return;
  throw asTold('bad-clip', signal === null ? stderr : '', `the clip ${path} cannot be decoded: the decoder crashed on it`);
}

/** What a program of the media server's said before it ended, its line and its hint; `otherwise` where it said nothing. */
export function asTold(code: ErrorCode, stderr: string, otherwise: string): CoexistError {
  const [message, hint] = stderr.trim().split('\n  -> ');
  return new CoexistError(code, message === undefined || message === '' ? otherwise : message, hint === undefined ? {} : { hint });
}
