/** Process ids that distinguish a process from a later one with the same number. */
import { readFileSync, readlinkSync } from 'node:fs';
import { fieldsBehindName } from './process-stat.ts';

/**
 * Returns the start time of a process, in clock ticks after boot (proc(5), stat field 22). Undefined if there is no
 * such process.
 */
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
   * Id of the boot in which the number is valid (random(4)). Missing in data of older versions, which count as the
   * current boot.
   */
  bootId?: string;
  /**
   * PID namespace of the process, for example "pid:[4026531836]" (pid_namespaces(7)). Missing: the namespace of this
   * process.
   */
  pidNamespace?: string;
};

/** State of a process. `elsewhere`: it is in another PID namespace, which this process cannot see. */
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

/** Returns the id of a process in this PID namespace, by default of this process. */
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
 * Returns the state of exactly this process. A process of an earlier boot has ended. A zombie, which only waits for its
 * parent, counts as ended.
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

/** True while exactly this process runs and is visible to the caller. */
export function isAlive(id: ProcessId): boolean {
  return stateOf(id) === 'alive';
}
