/**
 * Processes that a test has left: all that a job starts have its mark in their environment, also those that have
 * another parent by now.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable; its value is different for each job. */
export const markName = 'COEXIST_TEST_JOB';

export type Marked = { pid: number; command: string };

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended, or belongs to somebody else
  }
}

/** Those that run, with what they were called with. */
export function marked(mark: string): Marked[] {
  const line = `${markName}=${mark}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => textOf(`/proc/${pid}/environ`).split('\0').includes(line))
    .map(pid => ({ pid: Number(pid), command: textOf(`/proc/${pid}/cmdline`).split('\0').join(' ').trim() }));
}

/** Ends them at once, those that they start meanwhile as well. */
export function endMarked(mark: string): void {
  for (let round = 0, found = marked(mark); found.length > 0 && round < 10; round++, found = marked(mark))
    for (const one of found) {
      try {
        process.kill(one.pid, 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    }
}
