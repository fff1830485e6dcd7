/**
 * Runs programs that read untrusted files as the user nobody, without capabilities or a way to get any, and with
 * limited memory (setpriv(1), prlimit(1), capabilities(7), no_new_privs).
 *
 * The files of the program itself may be in a home directory that this user cannot read. So the program starts with the
 * rights to read them and to change its user. It gives up these rights (`giveUpPrivileges`) before it reads the first
 * byte of an untrusted file.
 */
import { isInUserNamespace } from './user-namespace.ts';

/** Id of the unprivileged user. */
export const nobody = 65_534;

/**
 * Maximum number of processes and threads of the unprivileged user, in all programs of the machine together
 * (RLIMIT_NPROC).
 */
export const tasksOfNobody = 16_384;

const isRoot = () => process.getuid?.() === 0;

/**
 * True if this process can become the unprivileged user. A user namespace has no other users; its root has more rights
 * than a user only by its capabilities.
 */
const canBeNobody = () => isRoot() && !isInUserNamespace();

/**
 * Returns the command line that starts a program that will read untrusted files. `memoryBytes`: limit of the writable
 * memory of each process (RLIMIT_DATA).
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

/**
 * Makes this process, with all its threads, run as the unprivileged user without capabilities. Does nothing if it
 * cannot change its user.
 */
export function giveUpPrivileges(): void {
  if (!canBeNobody()) return;
  process.setgroups!([]);
  process.setgid!(nobody);
  process.setuid!(nobody);
}
