/**
 * Root without root: a user namespace in which the caller is root and can make network namespaces (user_namespaces(7)).
 * Nothing outside of it can be changed, and all of it disappears with its last process.
 * Plain JavaScript, for any Node from 20 on.
 */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

// ip-netns(8) keeps its names in /run/netns, which belongs to root, so a new file system is mounted there. Sessions'
// files under /run/user, such as the socket of the display, stay accessible.
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

/** Command line that runs another as root of a new user namespace. */
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

/** Reason why this machine has no such namespace, found by trying; undefined if it has. */
export function userNamespaceMissing() {
  const [file, ...argv] = inUserNamespace(['sh', '-c', 'ip netns add probe && ip netns delete probe']);
  const { status, stderr, error } = spawnSync(file, argv, { encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL' });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? `status ${status}`);
}

/** State folder of runs in user namespaces, since /run/coexist belongs to root. */
export function stateFolder() {
  return join(process.env.XDG_RUNTIME_DIR ?? join(homedir(), '.local/state'), 'coexist');
}
