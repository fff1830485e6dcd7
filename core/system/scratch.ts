/**
 * Scratch folders for commands that run no trials and so have no lease. The name of a folder contains its owner, so
 * that the next start can remove the folder of a killed command.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdOf, stateOf } from './process-id.ts';

const prefix = 'coexist-scratch-';
/**
 * Name of a scratch folder: number of the owner's PID namespace, process id, start time in clock ticks, and six letters
 * of mkdtemp(3).
 */
const named = new RegExp(`^${prefix}(\\d+)-(\\d+)-(\\d+)-\\w{6}$`);

/** Calls `body` with the path of a new scratch folder, and removes the folder afterwards. */
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

/**
 * Removes the scratch folders of this user whose owners have ended. Leaves a folder in place if it cannot be removed.
 */
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
      // another process has removed the folder, or something is mounted there
    }
  }
}
