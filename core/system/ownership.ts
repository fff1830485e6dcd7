/**
 * Under sudo, makes the person who started a run the owner of its files: of folders when they are made, of trials when
 * they are complete, and of everything at the end. So a killed run leaves nothing that this person cannot remove. The
 * person may write in the folder during the run, and could replace a file, or a folder on the path, by a link to a file
 * of root's. So each entry is opened relative to its folder, which is already open, without following links, and the
 * owner is changed through the open descriptor.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '../errors.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

type Owner = { uid: number; gid: number };

/** Returns the user who started this process by sudo. Undefined without sudo. */
function sudoUser(): Owner | undefined {
  const [uid, gid] = [process.env['SUDO_UID'], process.env['SUDO_GID']].map(text => Number(text ?? NaN));
  return process.getuid?.() === 0 && Number.isInteger(uid) && Number.isInteger(gid)
    ? { uid: uid!, gid: gid! }
    : undefined;
}

/**
 * Makes the user of sudo the owner of a file, or of a folder with its contents. It does so only if the parent folder
 * belongs to that user, or if the path has no links. In other cases somebody may have created a link since the path was
 * used, and the owner stays root.
 */
export function giveBack(path: string): void {
  giveFrom(path, ({ isTheirs, isReal }) => isTheirs || isReal);
}

/**
 * Makes the user of sudo the owner of a file or folder, if the parent folder belongs to that user. Files in other
 * folders, for example in /run, stay root's.
 */
export function giveMade(path: string): void {
  giveFrom(path, ({ isTheirs }) => isTheirs);
}

/**
 * Makes a file readable for all users. Returns false and changes nothing if the path is not a regular file, or if the
 * file has a second name: the owner of the folder may have put a link to one of root's files there.
 */
export function letAllRead(path: string): boolean {
  const file = openIfThere(path, O_NOFOLLOW | O_NONBLOCK);
  if (file === undefined) return false;
  try {
    const opened = fstatSync(file);
    if (!opened.isFile() || opened.nlink > 1) return false;
    fchmodSync(file, 0o644);
    return true;
  } finally {
    closeSync(file);
  }
}

/**
 * Makes the user of sudo the owner of a file or folder if `may` returns true. `isTheirs`: the parent folder belongs to
 * that user. `isReal`: the path of the parent folder has no links.
 */
function giveFrom(path: string, may: (folder: { isTheirs: boolean; isReal: boolean }) => boolean): void {
  const owner = sudoUser();
  if (owner === undefined) return;
  const parent = dirname(resolve(path));
  const folder = openIfThere(parent, O_DIRECTORY);
  if (folder === undefined) return;
  try {
    // path of the open folder; `parent` may lead to another folder a moment later
    const opened = `/proc/self/fd/${folder}`;
    if (may({ isTheirs: fstatSync(folder).uid === owner.uid, isReal: readlinkSync(opened) === parent }))
      give(join(opened, basename(path)), owner);
  } finally {
    closeSync(folder);
  }
}

/**
 * Changes the owner of a file or folder. The owner of a link stays root: the user can remove the link in any case, and
 * a change by name could reach another file.
 */
function give(path: string, owner: Owner): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true || entry?.isFile() === true) giveOpened(path, entry.isDirectory(), owner);
}

function giveOpened(path: string, isFolder: boolean, { uid, gid }: Owner): void {
  const file = openIfThere(path, O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0));
  if (file === undefined) return; // the entry was replaced after lstat
  try {
    const opened = fstatSync(file);
    // a hard link to a file that may lie outside of this folder
    if (opened.isFile() && opened.nlink > 1) return;
    if (!opened.isFile() && !opened.isDirectory()) return;
    // through the open folder, because its name may lead elsewhere now
    if (opened.isDirectory())
      for (const name of readdirSync(`/proc/self/fd/${file}`)) give(join(`/proc/self/fd/${file}`, name), { uid, gid });
    fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns a descriptor of a file or folder. Undefined if the path does not exist or is not of the kind that `flags`
 * demand.
 */
function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, O_RDONLY | flags);
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
