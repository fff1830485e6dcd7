/** Removes folders and network namespaces of tests that were killed: the next `npm test` does. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makerOf } from './test-names.ts';

/** Returns the entries of a folder that processes made for tests that no longer run. */
function leftIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // no namespace was ever made
  }
  return names.filter(name => {
    const pid = makerOf(name);
    return pid !== undefined && !isRunning(pid);
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes what killed tests left, as far as this user may. Returns the names of what was removed. */
export function removeLeftovers(): string[] {
  const [parent, named] = [realpathSync(tmpdir()), '/run/netns'];
  const isRoot = process.getuid?.() === 0;
  const [folders, namespaces] = [leftIn(parent), isRoot ? leftIn(named) : []];
  // other tests may do the same now: only what is left matters
  for (const name of namespaces) spawnSync('ip', ['netns', 'delete', name]);
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[1] ?? '');
  for (const name of folders) {
    const path = join(parent, name);
    for (const place of mounted.filter(one => one === path || one.startsWith(`${path}/`)).reverse())
      if (isRoot) spawnSync('umount', [place]);
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // of another user
    }
  }
  return [
    ...namespaces.filter(name => !existsSync(join(named, name))),
    ...folders.filter(name => !existsSync(join(parent, name))),
  ];
}
