/** Paths of clips, and the cached files that are made from clips. */
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

/** Path of the clip that set-up generates. */
export const generatedClip = join(cacheFolder, 'clips', 'high-motion-720p60.mp4');

const named: Record<string, string> = {
  'high-motion': generatedClip,
  bigbuckbunny: join(shipped, 'bigbuckbunny.mp4'),
};

export const isNamedClip = (name: string): boolean => Object.hasOwn(named, name);

export function clipPath(nameOrFile: string): string {
  return isNamedClip(nameOrFile) ? named[nameOrFile]! : resolve(nameOrFile);
}

/**
 * Version of the conversions. It is increased whenever a conversion changes, so that files made earlier are not used.
 */
const madeBy = 2;

/**
 * Converts the output of a failed conversion program into an error with the program's message and hint. `otherwise`:
 * message if the program printed none.
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
  /** Folder of these files in the cache. */
  folder: string;
  extension: string;
  /** Number of files to keep in the folder; the most recently used stay. */
  kept: number;
  /** Program that makes the file. Its arguments are the clip, `words` and the path of the file. */
  program: URL;
  words: readonly string[];
  /** Result in words; completes the error message "the clip ... could not be made". */
  what: string;
};

/** Conversions in progress, by the path of the file. */
const underWay = new Map<string, Promise<string>>();

/** Converts a clip and returns the path of the result. The file is made once and then cached. */
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
    utimesSync(file, new Date(), new Date()); // marks it as used last
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
    // browsers run as an unprivileged user
    if (!letAllRead(file))
      throw new CoexistError('cannot-write', `${file} was exchanged while it was made`, { hint: 'remove it' });
    giveMade(file);
    return file;
  }
  // the clip is not to blame for an error such as a full disk
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
