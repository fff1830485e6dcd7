/** Processes and what they have started (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs';
import { systemCode } from '../../../core/errors.ts';

/** Of a process or thread; `nothing` where it has ended meanwhile. */
export function ofRunning<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(systemCode(error) ?? '')) return nothing;
    throw error;
  }
}

/** Ids of those that each of its threads has started. */
export const childrenOf = (pid: number): number[] =>
  ofRunning(() => readdirSync(`/proc/${pid}/task`), []).flatMap(thread =>
    ofRunning(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

/** Ids of all processes below one. */
export const below = (pid: number): number[] => childrenOf(pid).flatMap(child => [child, ...below(child)]);
