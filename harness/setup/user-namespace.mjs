/**
 * Root without root: runs a command in a user namespace in which the caller is root and can make network namespaces
 * (user_namespaces(7)). The command can change nothing outside of the namespace, and the namespace disappears with its
 * last process. Plain JavaScript, for any Node from 20 on.
 */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

// A new file system is mounted on /run/netns, because ip-netns(8) keeps its names there and the folder belongs to root.
// Files under /run/user, such as the socket of the display, stay accessible.
const prepare = [
  'set -e',
  'if [ -d /run/netns ]; then',
  '  mount -t tmpfs coexist /run/netns',
  'else',
  '  sessions=$(mktemp -d)',
  '  if [ -d /run/user ]; then mount --rbind /run/user "$sessions"; fi',
  '  mount -t tmpfs coexist /run',
  '  mkdir /run/user',
  '  if mountpoint -q "$sessions"; then mount --move "$sessions" /run/user; fi',
  '  rmdir "$sessions"',
  'fi',
  'exec "$@"',
].join('\n');

/** Returns the command line that runs `line` as root of a new user namespace. */
export function inUserNamespace(line) {
  return [
    'unshare',
    '--user',
    '--map-root-user',
    '--net',
    '--mount',
    '--propagation',
    'private',
    '--',
    'sh',
    '-c',
    prepare,
    'sh',
    ...line,
  ];
}

/** Returns the reason why a command cannot run in such a namespace, found by a test run. Undefined if it can. */
export function userNamespaceMissing() {
  const [file, ...argv] = inUserNamespace(['sh', '-c', 'ip netns add probe && ip netns delete probe']);
  const { status, stderr, error } = spawnSync(file, argv, { encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL' });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? `status ${status}`);
}

/** Returns the folder for the state of runs in user namespaces. They cannot use /run/coexist, which belongs to root. */
export function stateFolder() {
  return join(process.env.XDG_RUNTIME_DIR ?? join(homedir(), '.local/state'), 'coexist');
}
