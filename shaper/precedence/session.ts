/**
 * Nice value of this process's session. The kernel compares sessions by their nice values (sched(7), "The autogroup
 * feature"). The session belongs to the user, so its value is restored afterwards; a note in the lease's scratch folder
 * has the previous value.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tell } from '../../core/system/control-group.ts';

const noteName = 'session-nice';
const fileOf = (id: string) => `/proc/${id}/autogroup`;

/**
 * Returns the session's process group and nice value, read from process `id` of the session; undefined if the kernel or
 * the process does not have them.
 */
function read(id: string): { group: string; nice: string } | undefined {
  try {
    const [, group, nice] = /^\/(autogroup-\d+) nice (-?\d+)$/m.exec(readFileSync(fileOf(id), 'utf8')) ?? [];
    return group === undefined ? undefined : { group, nice: nice! };
  } catch {
    return undefined; // no such kernel, or the process has ended
  }
}

/**
 * Lowers the nice value of this process's session to `nice`, unless the value is as low already; then another holder
 * restores it. `folder`: folder of the note.
 */
export function raiseSession(nice: number, folder: string): void {
  const before = read('self');
  if (before === undefined || Number(before.nice) <= nice) return;
  writeFileSync(join(folder, noteName), `${before.group} ${before.nice}`);
  try {
    tell(fileOf('self'), String(nice));
  } catch {
    rmSync(join(folder, noteName)); // refused: the value is unchanged
  }
}

/** Restores the nice value in the note by any process of that session. Does nothing if the session has no processes. */
export function restoreSession(folder: string): void {
  const note = join(folder, noteName);
  if (!existsSync(note)) return;
  const [, group, nice] = /^(autogroup-\d+) (-?\d+)$/.exec(readFileSync(note, 'utf8')) ?? [];
  const member = readdirSync('/proc').find(id => /^\d+$/.test(id) && read(id)?.group === group);
  if (group !== undefined && member !== undefined) tell(fileOf(member), nice!);
  rmSync(note);
}
