/**
 * Mutual exclusion between all processes of this machine that share a folder. Whoever wants its turn puts a file with
 * its name there, and then looks whether somebody else's is there: of two at once at least one sees the other. Who sees
 * one takes its own file away and tries again a little later. A file belongs to one process only, so one that a killed
 * process left can be taken away by anybody at any time.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, until } from './deadline.ts';
import { makeDirectory } from './directories.ts';
import { processIdOf, startTicks, stateOf } from './process-id.ts';
import type { ProcessId } from './process-id.ts';
import { writeWhole } from './whole-file.ts';

const waitMs = 60_000;
/** Two that have seen each other try again after different times, up to this. */
const longestPauseMs = 40;

/** A file of somebody's turn; one without a process is an older version's. */
const turnFile = /^(.*)\.turn(?:\.\d+-[0-9a-f]+)?$/;
/** One that is being written by a process. */
const unfinishedFile = /\.turn\.(\d+)-[0-9a-f]+\.next$/;

/** Takes the file away if its process has ended or was never named; true where it stays. */
function staysAfterClearing(file: string): boolean {
  let owner: ProcessId;
  try {
    owner = JSON.parse(readFileSync(file, 'utf8')) as ProcessId;
    if (stateOf(owner) !== 'ended') return true;
  } catch {
    // it is gone, or a crash of the machine left it empty: files are put there whole
  }
  rmSync(file, { force: true });
  return false;
}

function isTaken(directory: string, name: string, own?: string): boolean {
  return readdirSync(directory)
    .filter(file => turnFile.exec(file)?.[1] === name)
    .map(file => join(directory, file))
    .some(file => file !== own && staysAfterClearing(file));
}

/** The own file, which stays until the turn is over; undefined where somebody else has the turn. */
function take(directory: string, name: string): string | undefined {
  if (isTaken(directory, name)) return undefined;
  const own = join(directory, `${name}.turn.${process.pid}-${randomBytes(4).toString('hex')}`);
  writeWhole(own, JSON.stringify(processIdOf()), { isFlushed: false });
  if (!isTaken(directory, name, own)) return own;
  rmSync(own, { force: true });
  return undefined;
}

/** Removes what processes that were killed in their turn, or on their way to it, left. */
export function removeTurns(directory: string): void {
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    const file = join(directory, name);
    const [, pid] = unfinishedFile.exec(name) ?? [];
    if (turnFile.test(name)) staysAfterClearing(file);
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
      const own = await until(
        async () => {
          const taken = take(directory, name);
          if (taken === undefined) await sleep(Math.random() * longestPauseMs);
          return taken;
        },
        waitMs,
        `another run to be done with ${name}`,
      );
      try {
        return await body();
      } finally {
        rmSync(own, { force: true });
      }
    });
  queues.set(
    file,
    mine.catch(() => {}),
  );
  return mine;
}
