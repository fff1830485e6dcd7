/**
 * A folder for temporary files of a command that has no run, and so no lease. Its name has its owner, so that the next
 * start removes what a killed command left.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdOf, stateOf } from './process-id.ts';

const prefix = 'coexist-scratch-';
/** Number of the PID namespace, process id, clock ticks of its start, and six letters of mkdtemp(3). */
const named = new RegExp(`^${prefix}(\\d+)-(\\d+)-(\\d+)-\\w{6}$`);

/** The folder is there while `body` runs. */
export async function withScratch<T>(body: (folder: string) => Promise<T>): Promise<T> {
  removeLeftScratch();
  const { pid, startTicks, pidNamespace = '' } = processIdOf();
  const owner = [pidNamespace.replace(/\D/g, '') || 0, pid, startTicks].join('-');
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${owner}-`));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of this user whose owners have ended. One that cannot be removed stays. */
export function removeLeftScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, space, pid, ticks] = named.exec(name) ?? [];
    const owner = { pid: Number(pid), startTicks: Number(ticks), pidNamespace: `pid:[${space}]` };
    if (space === undefined || stateOf(owner) !== 'ended') continue;
    const folder = join(tmpdir(), name);
    try {
      const found = lstatSync(folder);
      if (found.isDirectory() && found.uid === process.geteuid?.()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // it went meanwhile, or something is mounted there
    }
  }
}
