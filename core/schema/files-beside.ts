/**
 * Checks the files that a definition in JSON names. Allowed are shipped files, and files in the definition's folder, to
 * which relative paths refer. Other files are refused because a stranger may have written the definition, and root
 * reads the files.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CoexistError } from '../errors.ts';
import { isInside } from '../system/folders.ts';

/**
 * Keys whose values are paths of files. Of a key below another ("audio.voice") only the last part counts. Each key's
 * function returns true if the value names a shipped file.
 */
type FileKeys = Readonly<Record<string, (value: string) => boolean>>;

/** Keys of `link` whose values are paths of files. */
const linkFiles: FileKeys = { trace: () => false };

/** Returns all keys of a definition whose values are paths of files: those of `link` and of every service. */
export function fileKeysOf(services: ReadonlyMap<string, { files?: FileKeys }>): FileKeys {
  const ofServices = [...services.values()].flatMap(({ files }) => Object.entries(files ?? {}));
  return {
    ...linkFiles,
    ...Object.fromEntries(ofServices.map(([key, isShipped]) => [key.split('.').at(-1)!, isShipped])),
  };
}

/**
 * Returns the absolute path of a file in `folder`, with symbolic links resolved. Throws `bad-definition` if the file
 * does not exist or lies outside the folder. `where`: place in the definition, for the message.
 */
function besidePath(value: string, folder: string, where: string): string {
  let path: string;
  try {
    path = realpathSync(resolve(folder, value));
  } catch (error) {
    throw new CoexistError('bad-definition', `${where}: there is no file ${value} beside the definition`, {
      hint: `put it into ${folder}`,
      cause: error,
    });
  }
  if (isInside(realpathSync(folder), path)) return path;
  throw new CoexistError('bad-definition', `${where}: ${value} is neither shipped nor beside the definition`, {
    hint: 'a definition in JSON names files of its own folder only: put the file there, or name it with --set',
  });
}

/**
 * Returns a copy of `tree` in which paths of files are absolute. `what`: name of the definition in messages. `own`:
 * keys that the user set ("service.clip"); their values stay unchanged. Throws `bad-definition` if the definition names
 * a file that is neither shipped nor in `folder`.
 */
export function withFilesBeside<T>(
  tree: T,
  folder: string,
  keys: FileKeys,
  what: string,
  own: readonly string[] = [],
): T {
  const walk = (
    node: unknown,
    isShipped: ((value: string) => boolean) | undefined,
    where: string,
    path: string,
  ): unknown => {
    if (own.includes(path)) return node;
    if (Array.isArray(node)) return node.map(value => walk(value, isShipped, where, `${path}[]`));
    if (typeof node === 'object' && node !== null) {
      // in `vary`, a key is the path of a parameter, "service.clip"
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => {
          const last = key.split('.').at(-1)!;
          const below = path === '' ? key : `${path}.${key}`;
          // a trace may be an object whose `file` names the file
          const isFile = Object.hasOwn(keys, last) ? keys[last] : last === 'file' ? isShipped : undefined;
          return [key, walk(value, isFile, `${where}: ${key}`, below)];
        }),
      );
    }
    return typeof node !== 'string' || isShipped === undefined || isShipped(node)
      ? node
      : besidePath(node, folder, where);
  };
  return walk(tree, undefined, what, '') as T;
}
