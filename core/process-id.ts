/** Telling a process from another that was given the same number later. */
import { readFileSync } from 'node:fs';

/** Clock ticks after boot at which the process started (proc(5), stat field 22); undefined where there is none. */
export function startTicks(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}

export type ProcessId = { pid: number; startTicks: number };

/** True while exactly that process runs. A zombie, which only waits for its parent, counts as ended. */
export function isAlive(process: ProcessId): boolean {
  if (startTicks(process.pid) !== process.startTicks) return false;
  try {
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}
