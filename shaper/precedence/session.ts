/**
 * The session of this process, by whose nice value the kernel compares it with other sessions (sched(7), "The autogroup
 * feature"). It is the user's, so its value is given back; a note in the lease's scratch folder says which it was.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tell } from '../../core/system/control-group.ts';

const noteName = 'session-nice';
const fileOf = (id: string) => `/proc/${id}/autogroup`;

/** The group of a session's processes and its nice value, as a process of it tells; undefined where there is none. */
function read(id: string): { group: string; nice: string } | undefined {
  try {
    const [, group, nice] = /^\/(autogroup-\d+) nice (-?\d+)$/m.exec(readFileSync(fileOf(id), 'utf8')) ?? [];
    return group === undefined ? undefined : { group, nice: nice! };
  } catch {
    return undefined; // no such kernel, or the process has ended
  }
}

/** A session that has the value already is left alone: whoever gave it takes it back. `folder`: for the note. */
export function raiseSession(nice: number, folder: string): void {
  const before = read('self');
  if (before === undefined || Number(before.nice) <= nice) return;
  writeFileSync(join(folder, noteName), `${before.group} ${before.nice}`);
  try {
    tell(fileOf('self'), String(nice));
  } catch {
    rmSync(join(folder, noteName)); // refused: it stays as it was
  }
}

/** Gives back what the note says, by any process of that session; a session without processes is gone. */
export function restoreSession(folder: string): void {
  const note = join(folder, noteName);
  if (!existsSync(note)) return;
  const [, group, nice] = /^(autogroup-\d+) (-?\d+)$/.exec(readFileSync(note, 'utf8')) ?? [];
  const member = readdirSync('/proc').find(id => /^\d+$/.test(id) && read(id)?.group === group);
  if (group !== undefined && member !== undefined) tell(fileOf(member), nice!);
  rmSync(note);
}
