/**
 * Files that a definition in JSON may name: files in its own folder, which relative paths start from, and shipped
 * files. Such a definition may come from somebody else, and the files that it names are read as root.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CoexistError } from '../errors.ts';
import { isInside } from '../system/folders.ts';

/** Keys whose values are paths, and which values name something that is shipped. */
type FileKeys = Readonly<Record<string, (value: string) => boolean>>;

/** What a link reads. */
const linkFiles: FileKeys = { trace: () => false };

/** Every key that names a file, in whatever part of a definition. */
export function fileKeysOf(services: ReadonlyMap<string, { files?: FileKeys }>): FileKeys {
  return Object.assign({}, linkFiles, ...[...services.values()].map(({ files }) => files ?? {})) as FileKeys;
}

/** The whole path of a file of the folder; links count as where they lead. Throws `bad-definition`. */
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
 * A copy in which every file is named by its whole path. `what` is the definition in words; `own`: paths of what the
 * user has put into it (`service.clip`), which is left as it is. Throws `bad-definition` where it names another file
 * than it may.
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
      // what varies is named by a path: "service.clip"
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => {
          const last = key.split('.').at(-1)!;
          const below = path === '' ? key : `${path}.${key}`;
          return [key, walk(value, Object.hasOwn(keys, last) ? keys[last] : undefined, `${where}: ${key}`, below)];
        }),
      );
    }
    return typeof node !== 'string' || isShipped === undefined || isShipped(node)
      ? node
      : besidePath(node, folder, where);
  };
  return walk(tree, undefined, what, '') as T;
}
