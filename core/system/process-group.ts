/** Ending a program with all that it has started in its process group, also when the program itself has ended. */
import { startTicks } from './process-id.ts';

type Leader = { pid?: number | undefined; exitCode: number | null; signalCode: NodeJS.Signals | null };

/**
 * Kills the group that a child of ours leads; false where there is none.
 *
 * The number of a group is its leader's process id. The kernel gives that id to no other process before both the leader
 * is reaped and the group is empty (kernel/pid.c, __change_pid). So while the leader lives the group is ours. Once it is
 * reaped the group may be empty, and the number may be a new process's, which may lead a group: where there is a process
 * with the number, nothing is left of ours. What has led a group with our number since, and has ended before it, cannot
 * be told from ours. But the kernel gives out ids in order, all others before the same one again, so whoever calls this
 * as soon as the leader has ended reaches no other group.
 */
export function killGroup({ pid, exitCode, signalCode }: Leader): boolean {
  if (pid === undefined) return false;
  const isReaped = exitCode !== null || signalCode !== null;
  if (isReaped && startTicks(pid) !== undefined) return false;
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}
