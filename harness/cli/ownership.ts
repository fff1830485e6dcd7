/**
 * Under sudo, what a run wrote is given to the person who started it. That person may write in the folder meanwhile, and
 * exchange a file for a link to one of root's: so each entry is opened without following links, and what was opened is
 * what is given.
 */
import { closeSync, constants, existsSync, fchownSync, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

type Owner = { uid: number; gid: number };

export function giveBack(path: string): void {
  const uid = Number(process.env['SUDO_UID']);
  const gid = Number(process.env['SUDO_GID']);
  if (process.getuid?.() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || !existsSync(path)) return;
  give(path, { uid, gid });
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
