/**
 * Under sudo, what a run wrote is given to the person who started it: folders when they are made, trials when they are
 * complete, and everything at the end, so that a run that is killed leaves nothing that they cannot remove. That person
 * may write in the folder meanwhile, and exchange a file, or a folder that leads here, for a link to one of root's. So
 * each entry is opened from its own folder, which is open already, without following links, and the ownership is
 * changed through the open descriptor.
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

/** Who started this by sudo; undefined where nobody did. */
function sudoUser(): Owner | undefined {
  const [uid, gid] = [process.env['SUDO_UID'], process.env['SUDO_GID']].map(text => Number(text ?? NaN));
  return process.getuid?.() === 0 && Number.isInteger(uid) && Number.isInteger(gid)
    ? { uid: uid!, gid: gid! }
    : undefined;
}

/**
 * Gives a file, or a folder with everything in it: what lies in a folder of that person's, or is reached without any
 * link. In other cases a link may have been laid since the path was used, and it stays root's.
 */
export function giveBack(path: string): void {
  giveFrom(path, ({ isTheirs, isReal }) => isTheirs || isReal);
}

/** The same for what was made in a folder of that person's; what was made elsewhere, as in /run, stays root's. */
export function giveMade(path: string): void {
  giveFrom(path, ({ isTheirs }) => isTheirs);
}

/**
 * Lets everybody read a file. False where it is none any more, or has a second name: the person whose folder it lies in
 * may have exchanged it, for a link to one of root's.
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

/** `isTheirs`: the folder that holds the entry belongs to that person. `isReal`: no link led to it. */
function giveFrom(path: string, may: (folder: { isTheirs: boolean; isReal: boolean }) => boolean): void {
  const owner = sudoUser();
  if (owner === undefined) return;
  const parent = dirname(resolve(path));
  const folder = openIfThere(parent, O_DIRECTORY);
  if (folder === undefined) return;
  try {
    // of the folder that is open now; what its path leads to may be another one in a moment
    const opened = `/proc/self/fd/${folder}`;
    if (may({ isTheirs: fstatSync(folder).uid === owner.uid, isReal: readlinkSync(opened) === parent }))
      give(join(opened, basename(path)), owner);
  } finally {
    closeSync(folder);
  }
}

/** A link stays root's: whoever owns its folder can remove it, and giving it by its name could give another file. */
function give(path: string, owner: Owner): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true || entry?.isFile() === true) giveOpened(path, entry.isDirectory(), owner);
}

function giveOpened(path: string, isFolder: boolean, { uid, gid }: Owner): void {
  const file = openIfThere(path, O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0));
  if (file === undefined) return; // exchanged
  try {
    const opened = fstatSync(file);
    // a second name of a file that lies elsewhere: it is not of this folder
    if (opened.isFile() && opened.nlink > 1) return;
    if (!opened.isFile() && !opened.isDirectory()) return;
    // through the open folder, whatever has its name now
    if (opened.isDirectory())
      for (const name of readdirSync(`/proc/self/fd/${file}`)) give(join(`/proc/self/fd/${file}`, name), { uid, gid });
    fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

/** Undefined where nothing of that kind is there. */
function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, O_RDONLY | flags);
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
