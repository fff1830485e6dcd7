/**
 * Under sudo, gives the files of a run to the person who started it: folders when they are made, trials when they are
 * complete, and everything at the end, so that a killed run leaves nothing that this person cannot remove. This person
 * may write in the folder during the run, and could replace a file, or a folder on the path, by a link to a file of
 * root's. So each entry is opened relative to its folder, which is already open, without following links, and the owner
 * is changed through the open descriptor.
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
 * Gives the person a file, or a folder with its contents, if it is in a folder of this person's or its path has no
 * links. In other cases somebody may have created a link since the path was used, so it stays root's.
 */
export function giveBack(path: string): void {
  giveFrom(path, ({ isTheirs, isReal }) => isTheirs || isReal);
}

/** Gives an entry only if it is in a folder of this person's. Entries elsewhere, for example in /run, stay root's. */
export function giveMade(path: string): void {
  giveFrom(path, ({ isTheirs }) => isTheirs);
}

/**
 * Makes a file readable for all. False if it is no longer a regular file, or has a second name: the owner of its folder
 * may have replaced it by a link to a file of root's.
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
 * Gives an entry if `may` allows it. `isTheirs`: the folder that holds the entry belongs to this person. `isReal`: the
 * path of the folder has no links.
 */
function giveFrom(path: string, may: (folder: { isTheirs: boolean; isReal: boolean }) => boolean): void {
  const owner = sudoUser();
  if (owner === undefined) return;
  const parent = dirname(resolve(path));
  const folder = openIfThere(parent, O_DIRECTORY);
  if (folder === undefined) return;
  try {
    // refers to the folder that is open; its path may lead to another folder a moment later
    const opened = `/proc/self/fd/${folder}`;
    if (may({ isTheirs: fstatSync(folder).uid === owner.uid, isReal: readlinkSync(opened) === parent }))
      give(join(opened, basename(path)), owner);
  } finally {
    closeSync(folder);
  }
}

/**
 * Gives a file or a folder. A link stays root's: the owner of its folder can remove it, and giving it by name could
 * give another file.
 */
function give(path: string, owner: Owner): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true || entry?.isFile() === true) giveOpened(path, entry.isDirectory(), owner);
}

function giveOpened(path: string, isFolder: boolean, { uid, gid }: Owner): void {
  const file = openIfThere(path, O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0));
  if (file === undefined) return; // replaced since lstat
  try {
    const opened = fstatSync(file);
    // a hard link to a file elsewhere, which is not part of this folder
    if (opened.isFile() && opened.nlink > 1) return;
    if (!opened.isFile() && !opened.isDirectory()) return;
    // through the open folder, whatever its name refers to now
    if (opened.isDirectory())
      for (const name of readdirSync(`/proc/self/fd/${file}`)) give(join(`/proc/self/fd/${file}`, name), { uid, gid });
    fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

/** Opens an entry. Undefined if no entry of this kind exists. */
function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, O_RDONLY | flags);
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
