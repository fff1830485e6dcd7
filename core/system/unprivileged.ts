/**
 * Runs programs that read untrusted files: as the user nobody, without capabilities or a way to get any, and with
 * limited memory (setpriv(1), prlimit(1), capabilities(7), no_new_privs).
 *
 * The program's own files may be in a home directory that the user nobody cannot read. So it starts with the rights to
 * read them and to become nobody, and becomes nobody (`giveUpPrivileges`) before it reads the first byte of an
 * untrusted file.
 */
import { isInUserNamespace } from './user-namespace.ts';

/** The user that nothing belongs to. */
export const nobody = 65_534;

/** Its processes and threads, over all programs of the machine that are nobody's (RLIMIT_NPROC). */
export const tasksOfNobody = 16_384;

const isRoot = () => process.getuid?.() === 0;

/** In a user namespace there is nobody else: what root of it may beyond the user itself are its capabilities. */
const canBeNobody = () => isRoot() && !isInUserNamespace();

/** The command line that starts such a program. `memoryBytes`: what a process of it may write to (RLIMIT_DATA). */
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

/** All threads of this process are nobody's from now on, and none has a capability. */
export function giveUpPrivileges(): void {
  if (!canBeNobody()) return;
  process.setgroups!([]);
  process.setgid!(nobody);
  process.setuid!(nobody);
}
