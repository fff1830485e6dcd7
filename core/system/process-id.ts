/** Distinguishes a process from a later one with the same id. */
import { readFileSync, readlinkSync } from 'node:fs';
import { fieldsBehindName } from './process-stat.ts';

/** Clock ticks after boot at which the process started (proc(5), stat field 22); undefined where there is none. */
export function startTicks(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(fieldsBehindName(stat)[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}

export type ProcessId = {
  pid: number;
  startTicks: number;
  /**
   * Of the kernel's run in which the number is good (random(4)); not there: of an older version, and taken for this
   * one.
   */
  bootId?: string;
  /** The PID namespace in which it is, "pid:[4026531836]" (pid_namespaces(7)); not there: taken for ours. */
  pidNamespace?: string;
};

/** Alive, ended, or where this process cannot see. */
type ProcessState = 'alive' | 'ended' | 'elsewhere';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function ownPidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Of a process that is here: by default this one. */
export function processIdOf(pid: number = process.pid, ticks = startTicks(pid) ?? 0): ProcessId {
  const [bootId, pidNamespace] = [readText('/proc/sys/kernel/random/boot_id'), ownPidNamespace()];
  return {
    pid,
    startTicks: ticks,
    ...(bootId === undefined ? {} : { bootId }),
    ...(pidNamespace === undefined ? {} : { pidNamespace }),
  };
}

/**
 * What became of exactly that process. One of an earlier boot has ended; a zombie, which only waits for its parent,
 * counts as ended.
 */
export function stateOf(id: ProcessId): ProcessState {
  const here = processIdOf(process.pid, 0);
  if (id.bootId !== undefined && here.bootId !== undefined && id.bootId !== here.bootId) return 'ended';
  if (id.pidNamespace !== undefined && here.pidNamespace !== undefined && id.pidNamespace !== here.pidNamespace)
    return 'elsewhere';
  if (startTicks(id.pid) !== id.startTicks) return 'ended';
  const stat = readText(`/proc/${id.pid}/stat`);
  return stat === undefined || fieldsBehindName(stat)[0] === 'Z' ? 'ended' : 'alive';
}

/** True while exactly that process runs, where this one can see it. */
export function isAlive(id: ProcessId): boolean {
  return stateOf(id) === 'alive';
}
