/** Ids that distinguish a process from a later process with the same number. */
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
   * Id of the boot of the machine in which the process started (random(4)). Missing in data of older versions; the
   * process then counts as one of the current boot.
   */
  bootId?: string;
  /**
   * PID namespace of the process, for example "pid:[4026531836]" (pid_namespaces(7)). If it is missing, the process
   * counts as one in the namespace of this process.
   */
  pidNamespace?: string;
};

/** State of a process. `elsewhere`: the process is in another PID namespace, so its state cannot be seen. */
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

/** Returns the id of a process in the PID namespace of this process. Default: the id of this process. */
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
 * Returns the state of the process with this id, not of a later one with the same number. A process of an earlier boot
 * has ended. A zombie, which only waits for its parent, counts as ended.
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

/**
 * True while the process with this id runs, if this process can see it. False for a later process with the same number.
 */
export function isAlive(id: ProcessId): boolean {
  return stateOf(id) === 'alive';
}
