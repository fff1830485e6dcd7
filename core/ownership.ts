/**
 * Under sudo, what a run wrote is given to the person who started it: folders when they are made, trials when they are
 * complete, and everything at the end, so that a run that is killed leaves nothing that they cannot remove. That person
 * may write in the folder meanwhile and exchange a file for a link to one of root's. So each entry is opened without
 * following links, and the ownership is changed through the open descriptor.
 */
import { closeSync, constants, existsSync, fchownSync, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

type Owner = { uid: number; gid: number };

/** Who started this by sudo; undefined where nobody did. */
function sudoUser(): Owner | undefined {
  const [uid, gid] = [process.env['SUDO_UID'], process.env['SUDO_GID']].map(text => Number(text ?? NaN));
  return process.getuid?.() === 0 && Number.isInteger(uid) && Number.isInteger(gid)
    ? { uid: uid!, gid: gid! }
    : undefined;
}

/** Gives a file, or a folder with everything in it. */
export function giveBack(path: string): void {
  const owner = sudoUser();
  if (owner !== undefined && existsSync(path)) give(path, owner);
}

/** The same for what was made in a folder of that person's; what was made elsewhere, as in /run, stays root's. */
export function giveMade(path: string): void {
  const owner = sudoUser();
  if (owner !== undefined && lstatSync(dirname(path), { throwIfNoEntry: false })?.uid === owner.uid) give(path, owner);
}

/** A link stays root's: whoever owns its folder can remove it, and giving it by its name could give another file. */
function give(path: string, owner: Owner): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true || entry?.isFile() === true) giveOpened(path, entry.isDirectory(), owner);
}

function giveOpened(path: string, isFolder: boolean, { uid, gid }: Owner): void {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0));
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return; // exchanged
    throw error;
  }
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
