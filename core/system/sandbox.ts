/**
 * Sandbox for a program that reads untrusted data, which may take the program over. The program has a root file system
 * of its own with the system's programs, read only, and a /tmp in memory, which is removed with the sandbox. It sees
 * only its own processes (namespaces(7), pivot_root(2)).
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoteWord } from '../text/shell.ts';
import { nobody } from './unprivileged.ts';

export type Sandbox = {
  /**
   * Path of an empty folder that becomes the root of the sandbox. The folder stays empty outside of the sandbox's mount
   * namespace.
   */
  root: string;
  /** Size of /tmp, and of the shared memory in /dev/shm, MiB each. */
  sizeMiB: number;
  /** Files and folders that the program may read, in addition to those of the system. */
  files: readonly string[];
  /** Devices, and folders of sockets, that the program may use. */
  devices?: readonly string[];
  /**
   * Files of which the program gets copies. Key: path of the copy in the sandbox, in /etc. Value: path of the original.
   * `owner`: id of the user who owns the copies; null: the caller owns them.
   */
  copies?: Readonly<Record<string, string>>;
  owner?: number | null;
  /** Address of the DNS server that the program may use. Null: no DNS. */
  nameServer?: string | null;
  /**
   * True if the caller is root of a user namespace. The mounts are then locked together and keep their options, so the
   * program can write to those `files` that its user owns.
   */
  isInUserNamespace: boolean;
};

/** Paths of the system in every sandbox: libraries, fonts, certificates, browser settings. */
const system = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/fonts',
  '/var/cache/fontconfig',
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
  '/etc/chromium',
  '/etc/chromium.d',
  '/etc/chromium-browser',
  '/etc/opt/chrome',
  '/etc/localtime',
  '/sys/devices/system/cpu',
];
const everydayDevices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
const everydayLinks = ['/dev/fd', '/dev/stdin', '/dev/stdout', '/dev/stderr'];

const etc = {
  '/etc/passwd': `root:x:0:0::/:/bin/false\nnobody:x:${nobody}:${nobody}::/tmp:/bin/false\n`,
  '/etc/group': `root:x:0:\nnogroup:x:${nobody}:\n`,
  '/etc/hosts': '127.0.0.1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
} as const;

const isLink = (path: string) => lstatSync(path).isSymbolicLink();

/** True if every sandbox contains the path, as one of the system. */
export const isSystem = (path: string) => system.some(folder => `${path}/`.startsWith(`${folder}/`));

/** Returns those of the paths that exist and are not below a path of `system`. */
const ownOnly = (paths: readonly string[]) => [...new Set(paths)].filter(path => existsSync(path) && !isSystem(path));

/** Escapes a text for a field of fstab(5). */
const fieldOf = (text: string) =>
  text.replace(/[\s\\#]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** Returns the mounts of the sandbox as lines of fstab(5), and the paths of those that are files and not folders. */
function mountsOf({ root, files, devices = [], isInUserNamespace }: Sandbox, size: string) {
  const line = (from: string, to: string, type: string, options: string) =>
    `${fieldOf(from)} ${fieldOf(root + to)} ${type} ${options},X-mount.mkdir 0 0`;
  const readable = isInUserNamespace ? 'rbind' : 'bind,ro,nosuid,nodev';
  const read = [...system.filter(path => existsSync(path) && !isLink(path)), ...ownOnly(files)];
  const used = [...everydayDevices, ...devices].filter(path => existsSync(path));
  return {
    lines: [
      line('proc', '/proc', 'proc', 'nosuid,nodev,noexec'),
      line('coexist', '/dev/shm', 'tmpfs', size),
      ...read.map(path => line(path, path, 'none', readable)),
      ...used.map(path => line(path, path, 'none', 'rbind')),
    ],
    overFiles: [...read, ...used].filter(path => !statSync(path).isDirectory()),
  };
}

/**
 * Returns a shell script that sets up the sandbox and then runs `lines` in it as root. The script must run as process 1
 * of its own namespaces (`inNamespaces`) and must stay root while its children run: then the kernel kills the script
 * when its parent ends, and with it everything in the sandbox.
 */
export function sandboxScript(sandbox: Sandbox, lines: readonly string[]): string {
  const { root, sizeMiB, copies = {}, owner = null, nameServer = null } = sandbox;
  const size = `nosuid,nodev,mode=1777,size=${sizeMiB}m`;
  const { lines: mounts, overFiles } = mountsOf(sandbox, size);
  const links = system.filter(path => existsSync(path) && isLink(path));
  const linkFolders = [...new Set(links.map(dirname))];
  const folders = [...new Set(['/etc', '/dev', ...overFiles.map(dirname), ...linkFolders])].filter(
    folder => folder !== '/',
  );
  const at = (path: string) => quoteWord(root + path);
  const words = (paths: readonly string[]) => paths.map(quoteWord).join(' ');
  return [
    '#!/bin/sh',
    'set -e',
    'umask 022',
    `mount -t tmpfs -o nosuid,nodev,mode=755,size=4m coexist ${at('')}`,
    `mkdir ${at('/tmp')}`,
    `mount -t tmpfs -o ${size} coexist ${at('/tmp')}`, // first: readable files may lie in /tmp
    `mkdir -p ${folders.map(at).join(' ')}`,
    ...overFiles.map(path => `: > ${at(path)}`),
    ...linkFolders.map(folder => `cp -P ${words(links.filter(path => dirname(path) === folder))} ${at(folder)}`),
    `cp -P ${words(everydayLinks.filter(path => existsSync(path)))} ${at('/dev')}`,
    ...Object.entries({ ...etc, '/etc/resolv.conf': nameServer === null ? '' : `nameserver ${nameServer}\n` }).map(
      ([path, text]) => `printf %s ${quoteWord(text)} > ${at(path)}`,
    ),
    ...Object.entries(copies).flatMap(([path, from]) => [
      `cat ${quoteWord(from)} > ${at(path)}`,
      `chmod 600 ${at(path)}`,
      ...(owner === null ? [] : [`chown ${owner}:${owner} ${at(path)}`]),
    ]),
    `printf %s ${quoteWord(`${mounts.join('\n')}\n`)} > ${at('/etc/fstab')}`,
    `mount --all --fstab ${at('/etc/fstab')}`,
    `rm ${at('/etc/fstab')}`,
    `cd ${at('')}`,
    'pivot_root . .',
    'umount --lazy .',
    'cd /',
    'mount -o remount,ro,nosuid,nodev /',
    ...lines,
    '',
  ].join('\n');
}

/**
 * Returns the command line that runs a program as process 1 of its own namespaces. `hasNetwork`: true if the program
 * shares the caller's network.
 */
export function inNamespaces(argv: readonly string[], { hasNetwork }: { hasNetwork: boolean }): string[] {
  return [
    'unshare',
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    ...(hasNetwork ? [] : ['--net']),
    '--fork',
    '--kill-child=SIGKILL',
    '--propagation',
    'private',
    '--',
    ...argv,
  ];
}
