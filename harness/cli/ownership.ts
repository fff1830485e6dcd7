/** Under sudo, what a run wrote is given to the person who started it. */
import { existsSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function giveBack(path: string): void {
  const uid = Number(process.env['SUDO_UID']);
  const gid = Number(process.env['SUDO_GID']);
  if (process.getuid?.() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || !existsSync(path)) return;
  const give = (entry: string) => {
    lchownSync(entry, uid, gid); // a link is given, never what it points to
    if (lstatSync(entry).isDirectory()) for (const name of readdirSync(entry)) give(join(entry, name));
  };
  give(path);
}
