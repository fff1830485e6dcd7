/**
 * Root without root: a user namespace in which the caller is root over network namespaces of its own
 * (user_namespaces(7)). Nothing outside it can be changed, and all of it is gone with its last process.
 * Plain JavaScript, for any Node from 20 on.
 */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

// ip-netns(8) keeps its names in /run/netns, which is root's: here it gets one of our own. What a session keeps under
// /run/user, such as its display's socket, stays where it was.
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

/** A command line that runs another as root of a new user namespace. */
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

/** Why this machine gives us no such namespace; undefined where it does. Found by trying. */
export function userNamespaceMissing() {
  const [file, ...argv] = inUserNamespace(['sh', '-c', 'ip netns add probe && ip netns delete probe']);
  const { status, stderr, error } = spawnSync(file, argv, { encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL' });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? `status ${status}`);
}

/** Where runs in user namespaces keep what they have on the machine: /run/coexist is root's. */
export function stateFolder() {
  return join(process.env.XDG_RUNTIME_DIR ?? join(homedir(), '.local/state'), 'coexist');
}
