/** Clips by name. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError, type ErrorCode, exitStatus } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { giveMade, letAllRead } from '../../core/system/ownership.ts';
import { cacheFolder } from '../../core/system/paths.ts';

const shipped = fileURLToPath(new URL('../../server/media/clips/', import.meta.url));

/** Where set-up puts the generated clip. */
export const generatedClip = join(cacheFolder, 'clips', 'high-motion-720p60.mp4');

const named: Record<string, string> = {
  'high-motion': generatedClip,
  bigbuckbunny: join(shipped, 'bigbuckbunny.mp4'),
};

export const isNamedClip = (name: string): boolean => Object.hasOwn(named, name);

export function clipPath(nameOrFile: string): string {
  return isNamedClip(nameOrFile) ? named[nameOrFile]! : resolve(nameOrFile);
}

/** Changes whenever clips become something else, so that what an older version made of them is made anew. */
const madeBy = 2;

/**
 * What a program of the media server's said before it ended, its line and its hint; `otherwise` where it said nothing.
 */
function asTold(code: ErrorCode, stderr: string, otherwise: string): CoexistError {
  const [message, hint] = stderr.trim().split('\n  -> ');
  return new CoexistError(
    code,
    message === undefined || message === '' ? otherwise : message,
    hint === undefined ? {} : { hint },
  );
}

type MadeOfClip = {
  clip: string;
  /** In the cache. */
  folder: string;
  extension: string;
  /** So many that were used last are kept. */
  kept: number;
  /** Makes the file: it is given the clip, `words`, and the file. */
  program: URL;
  words: readonly string[];
  /** What the clip becomes, in words. */
  what: string;
};

/** Files that are being made, by their paths. */
const underWay = new Map<string, Promise<string>>();

/** Path of a file that is made of a clip: once, then it lies in the cache. */
export async function madeOfClip(options: MadeOfClip): Promise<string> {
  const { clip, folder: name, extension, kept, words } = options;
  const path = clipPath(clip);
  const folder = join(cacheFolder, name);
  const { mtimeMs, size } = statSync(path);
  const file = join(
    folder,
    `${createHash('sha256')
      .update(JSON.stringify([madeBy, path, mtimeMs, size, ...words]))
      .digest('hex')
      .slice(0, 16)}.${extension}`,
  );
  if (existsSync(file)) {
    utimesSync(file, new Date(), new Date()); // used last
    return file;
  }
  const earlier = underWay.get(file);
  if (earlier !== undefined) return earlier;
  makeFolder(folder);
  removeOldest(folder, kept - 1);
  const making = make(file, path, options).finally(() => underWay.delete(file));
  underWay.set(file, making);
  return making;
}

async function make(file: string, path: string, { program, words, what }: MadeOfClip): Promise<string> {
  const { status, stderr } = await run(
    [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(program), path, ...words, file],
    { allowFailure: true, timeoutMs: 120_000 },
  );
  if (status === 0) {
    // browsers are nobody
    if (!letAllRead(file))
      throw new CoexistError('cannot-write', `${file} was exchanged while it was made`, { hint: 'remove it' });
    giveMade(file);
    return file;
  }
  // a full disk is no fault of the clip
  throw asTold(
    status === exitStatus.usage ? 'bad-clip' : 'cannot-write',
    stderr,
    `the clip ${path} could not be made ${what}`,
  );
}

export function removeOldest(folder: string, kept: number): void {
  const ages = readdirSync(folder)
    .map(name => ({ path: join(folder, name), mtimeMs: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { path } of ages.slice(kept)) rmSync(path, { force: true });
}
