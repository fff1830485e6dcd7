/**
 * Mutual exclusion between all processes of this machine that share a folder: the process that has created a lock file
 * there (link(2)) has its turn. A file left by a killed process is taken over.
 */
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './deadline.ts';
import { makeDirectory } from './directories.ts';
import { systemCode, writeError } from './errors.ts';
import { processIdOf, startTicks, stateOf } from './process-id.ts';
import type { ProcessId } from './process-id.ts';

const waitMs = 60_000;

function ownerIn(file: string): ProcessId | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessId;
  } catch {
    return undefined; // it is gone, or not yet written
  }
}

/** Takes away what a process that has ended left, and nothing else. */
function clear(file: string): void {
  const owner = ownerIn(file);
  if (owner === undefined || stateOf(owner) !== 'ended') return;
  const aside = `${file}.${process.pid}.ended`;
  try {
    renameSync(file, aside);
    const moved = ownerIn(aside);
    // somebody was faster, and has the turn
    if (moved !== undefined && stateOf(moved) !== 'ended') linkSync(aside, file);
  } catch {
    return; // somebody else clears it
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Puts the own file there, whole; false where somebody else's is. */
function take(file: string): boolean {
  clear(file);
  const own = `${file}.${process.pid}.next`;
  try {
    writeFileSync(own, JSON.stringify(processIdOf()));
    linkSync(own, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw writeError(error, file);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes what processes that were killed in their turn, or on their way to it, left. */
export function removeTurns(directory: string): void {
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    const file = join(directory, name);
    const [, pid] = /\.turn\.(\d+)\.(?:next|ended)$/.exec(name) ?? [];
    if (name.endsWith('.turn')) clear(file);
    else if (pid !== undefined && startTicks(Number(pid)) === undefined) rmSync(file, { force: true });
  }
}

/** Of this process's own calls. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Does something while nobody else does something under that name. Throws `timed-out` where somebody does for longer
 * than a minute.
 */
export function inTurn<T>(directory: string, name: string, body: () => Promise<T>): Promise<T> {
  const file = join(directory, `${name}.turn`);
  const mine = (queues.get(file) ?? Promise.resolve())
    .catch(() => {})
    .then(async () => {
      makeDirectory(directory);
      await until(() => (take(file) ? true : undefined), waitMs, `another run to be done with ${name}`);
      try {
        return await body();
      } finally {
        rmSync(file, { force: true });
      }
    });
  queues.set(
    file,
    mine.catch(() => {}),
  );
  return mine;
}
