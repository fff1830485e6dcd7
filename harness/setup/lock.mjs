/**
 * Allows one set-up at a time, and none while a study runs that uses what the set-up would change. flock(1) holds a
 * lock file as long as its standard input is open, so the lock is released however we end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { startFor } from './person.mjs';

/** flock's status where the time is over. */
const heldByOthers = 77;

/**
 * Waits for the lock and resolves to what lets it go; to undefined where somebody else has held it for all of `waitMs`.
 * Where there is no flock there is no lock. `kind`: "exclusive" for whoever changes things, "shared" for whoever uses
 * them. `onWait`: called when it is not there at once.
 */
export async function lock(file, kind, { waitMs, onWait = () => {} }) {
  mkdirSync(dirname(file), { recursive: true });
  // a session of its own: Ctrl-C ends what holds the lock when its holder ends, and not before
  const child = startFor(
    spawn,
    [
      'flock',
      `--${kind}`,
      '--timeout',
      String(waitMs / 1000),
      '--conflict-exit-code',
      String(heldByOthers),
      file,
      'sh',
      '-c',
      'echo; read -r _',
    ],
    { stdio: ['pipe', 'pipe', 'ignore'], detached: true },
  );
  child.stdin.on('error', () => {}); // it has ended
  const notice = setTimeout(onWait, 500);
  try {
    const isLocked = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'close').then(([status]) => (status === heldByOthers ? false : undefined)),
    ]);
    if (isLocked === false) return undefined;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  } finally {
    clearTimeout(notice);
  }
  for (const handle of [child, child.stdin, child.stdout]) handle.unref?.();
  return () => child.stdin.destroy();
}
