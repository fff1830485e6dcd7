/** Kills a program together with its process group, even if the program itself has ended. */
import { startTicks } from './process-id.ts';

type Leader = { pid?: number | undefined; exitCode: number | null; signalCode: NodeJS.Signals | null };

/**
 * Kills the process group that a child of this process leads. Returns false if no such group exists.
 *
 * The number of a group is the process id of its leader. The kernel does not reuse this number until the leader is
 * reaped and the group is empty (kernel/pid.c, __change_pid). So while the leader lives, the group is the child's.
 * After the leader's end the number may belong to a new process, which may lead a group; in this case nothing of the
 * child's group is left. A later group with this number whose leader has also ended cannot be distinguished from the
 * child's group. But the kernel assigns ids in ascending order and uses all others before it repeats one, so a call
 * right after the end of the leader reaches no other group.
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
