/**
 * The sandbox of a program that reads what strangers have made, and that they may take over. It has its own root file
 * system with the system's programs, read only, and its own /tmp in memory, which is removed with it. It sees no
 * processes but its own (namespaces(7), pivot_root(2)).
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoteWord } from '../text/shell.ts';
import { nobody } from './unprivileged.ts';

export type Sandbox = {
  /** Empty folder for its root; outside of its mount namespace it stays empty. */
  root: string;
  /** Size of /tmp and of shared memory, each, MiB. */
  sizeMiB: number;
  /** Files and folders that it may read, beside the system's. */
  files: readonly string[];
  /** Devices and folders of sockets that it may use. */
  devices?: readonly string[];
  /** Files that it gets a copy of, by the path that it finds it at, in /etc, and whose these are; null: the caller's. */
  copies?: Readonly<Record<string, string>>;
  owner?: number | null;
  /** Asked for names; null: nobody is. */
  nameServer?: string | null;
  /**
   * The caller is root of a user namespace. There mounts are locked together, and keep the options that they have: the
   * program can write to those of `files` that its user owns.
   */
  isInUserNamespace: boolean;
};

/** What programs need, whatever they are: libraries, fonts, certificates, settings of browsers. */
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

/** Whether every sandbox has it. */
export const isSystem = (path: string) => system.some(folder => `${path}/`.startsWith(`${folder}/`));

/** Those that are none of the system's. */
const ownOnly = (paths: readonly string[]) => [...new Set(paths)].filter(path => existsSync(path) && !isSystem(path));

/** Of fstab(5). */
const fieldOf = (text: string) =>
  text.replace(/[\s\\#]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The shell program's mounts, as lines of fstab(5), and what they are laid over where that is a file. */
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
 * The text of a shell program that makes the sandbox and goes on in it, as root, with `lines`. It has to be process 1 of
 * namespaces of its own (`inNamespaces`), and has to stay root while what it starts runs: so the kernel ends it with its
 * parent, and everything in the sandbox with it.
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
    `mount -t tmpfs -o ${size} coexist ${at('/tmp')}`, // first, as what it may read can lie in there
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

/** The command line that runs a program as process 1 of namespaces of its own; `hasNetwork`: it has its caller's. */
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
