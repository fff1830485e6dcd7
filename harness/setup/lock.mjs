/**
 * Lock between set-ups and studies: one set-up runs at a time, and none runs while a study uses the files that it would
 * change. flock(1) holds a lock file as long as its standard input is open. So the lock is released whenever this
 * process ends, even if it is killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { startFor } from './person.mjs';

/** Exit status with which flock ends if it did not get the lock within the time limit. */
const heldByOthers = 77;

/**
 * Waits for the lock. Resolves to a function that releases it, or to undefined if others held it for all of `waitMs`.
 * `kind`: "exclusive" for a set-up, which changes files, or "shared" for a study, which uses them. `onWait`: called if
 * the lock is not free at once. If flock is not installed, no lock is taken.
 */
export async function lock(file, kind, { waitMs, onWait = () => {} }) {
  mkdirSync(dirname(file), { recursive: true });
  // in a session of its own, so that Ctrl-C does not end flock before the process that needs the lock
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
  child.stdin.on('error', () => {}); // ignored: flock may have ended
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
