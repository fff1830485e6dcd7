/**
 * The shells of mahimahi: programs of other people, which a user installs. Each makes a network namespace and runs a
 * command in it; packets between the namespace and the outside are delayed, lost or queued.
 *
 * The programs are setuid root, refuse to be started by root, and need iptables and dnsmasq. So Coexist starts them as
 * a user without rights.
 */
import type { Host } from '../../core/system/host.ts';

/** Programs that form a link: rate and queue, delay, loss. */
const shellPrograms = ['mm-link', 'mm-delay', 'mm-loss'] as const;
export type ShellProgram = (typeof shellPrograms)[number];

/** User and group that start the shells: those without files, the last ids of 16 bits (Linux Standard Base). */
const userId = 65_534;

/** Returns the command line that starts a program as a user without rights. */
export const asUser = (argv: readonly string[]): string[] => [
  'setpriv',
  `--reuid=${userId}`,
  `--regid=${userId}`,
  '--clear-groups',
  '--',
  ...argv,
];

/** How to get the shells, for a hint. */
export const getShells =
  'install mahimahi (github.com/ravinet/mahimahi, or the package of your distribution); it needs iptables, dnsmasq, ' +
  'and its programs setuid root';

/**
 * Tries the shells in namespaces that exist only as long as the attempt. Returns the reason why one of them cannot run;
 * null if all can.
 */
export async function whyNoShells(host: Pick<Host, 'run'>): Promise<string | null> {
  const { status, stdout, stderr } = await host.run(
    ['unshare', '--net', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', attempt, 'sh', ...asUser([])],
    { allowFailure: true },
  );
  if (status === 0) return null;
  return stdout.trim() || stderr.trim().split('\n').at(-1) || `they failed with status ${status}`;
}

/** Shell script of the attempt. Its words are the command that starts a program as a user without rights. */
const attempt = [
  'missing=',
  `for program in ${shellPrograms.join(' ')} iptables dnsmasq; do`,
  '  PATH="$PATH:/usr/sbin:/sbin" command -v "$program" >/dev/null || missing="$missing $program"',
  'done',
  'if [ -n "$missing" ]; then echo "not installed:$missing"; exit 1; fi',
  'ip link set dev lo up && echo 1 >/proc/sys/net/ipv4/ip_forward || exit 1',
  '"$@" mm-delay 1 true && "$@" mm-loss downlink 0 true || exit 1',
  // an empty trace, at which mm-link ends after everything else has worked
  'said=$("$@" mm-link /dev/null /dev/null true 2>&1)',
  'case "$said" in *"no valid timestamps"*) exit 0 ;; esac',
  'echo "$said" | tail -n 1',
  'exit 1',
].join('\n');
