/**
 * Runs programs that read untrusted files: as the user nobody, without capabilities or a way to get any, and with
 * limited memory (setpriv(1), prlimit(1), capabilities(7), no_new_privs).
 *
 * The program's own files may be in a home directory that this user cannot read. So the program starts with the rights
 * to read them and to change its user. It gives up these rights (`giveUpPrivileges`) before it reads the first byte of
 * an untrusted file.
 */
import { isInUserNamespace } from './user-namespace.ts';

/** User id of "nobody". */
export const nobody = 65_534;

/** Maximum number of processes and threads of this user, over all programs of the machine (RLIMIT_NPROC). */
export const tasksOfNobody = 16_384;

const isRoot = () => process.getuid?.() === 0;

/**
 * True if this process can change its user. A user namespace has no other users; there, root has more rights only by
 * its capabilities.
 */
const canBeNobody = () => isRoot() && !isInUserNamespace();

/**
 * Returns the command line that starts such a program. `memoryBytes`: limit of a process's writable memory
 * (RLIMIT_DATA).
 */
export function unprivileged(argv: readonly string[], { memoryBytes }: { memoryBytes: number }): string[] {
  const kept = canBeNobody() ? ',+setuid,+setgid,+dac_read_search' : '';
  const rights = isRoot() ? [`--bounding-set=-all${kept}`, '--inh-caps=-all', '--ambient-caps=-all'] : [];
  return [
    'prlimit',
    '--core=0',
    '--nofile=256',
    `--data=${memoryBytes}`,
    '--',
    'setpriv',
    '--no-new-privs',
    ...rights,
    '--',
    ...argv,
  ];
}

/** Makes all threads of this process run as nobody without capabilities, if it can change its user. */
export function giveUpPrivileges(): void {
  if (!canBeNobody()) return;
  process.setgroups!([]);
  process.setgid!(nobody);
  process.setuid!(nobody);
}
