/**
 * The sandbox of a browser on this machine. A page from the Internet may take over the browser, so the browser runs as
 * the user nobody, without capabilities and without a way to get any. It has its own root file system with the system's
 * programs, read only, and its own /tmp in memory, which is removed with it. It sees no processes but its own
 * (namespaces(7), pivot_root(2), capabilities(7), no_new_privs). It shares the network namespace of its host.
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoteWord } from '../../core/shell.ts';
import { nobody } from '../../core/unprivileged.ts';
import { programPlace } from './program-place.ts';
import { useLimits } from './use.ts';
import { onVirtualDisplay } from './virtual-display.ts';

type Place = {
  executable: string;
  /**
   * Whose rights it has; null: the caller's without the capabilities, where there is nobody else (in a user namespace).
   */
  userId: number | null;
  /** Empty folder for its root; outside of its mount namespace it stays empty. */
  root: string;
  environment: Record<string, string>;
  /** Files and folders that it may read, beside the system's and its program's. */
  files: readonly string[];
  /** Devices and folders of sockets that it may use, and ids of the groups that those belong to. */
  devices: readonly string[];
  groups: readonly number[];
  /** Files that it gets a copy of, by the path that it finds it at, in /etc. */
  copies: Readonly<Record<string, string>>;
  /** Asked for names; null: nobody is. */
  nameServer: string | null;
  /** Path of Xvfb, for a display of its own; null: it has none, or one of `devices`. */
  virtualDisplay: string | null;
};

/** Room in /tmp and in shared memory, each: the profile is there, and whatever a page writes. */
const roomMiB = 1024;
const room = `nosuid,nodev,mode=1777,size=${roomMiB}m`;
/**
 * More than a whole browser may take, because reserved memory counts as well. At this limit a page gets an error and
 * goes on; a browser that exceeds its own limit is ended (bounds.ts).
 */
const dataBytes = 1.5 * useLimits.memoryBytes;
/** Open files and data of a process; processes and threads of the user, over all browsers of the machine. */
const limits = ['--core=0', '--nofile=8192', '--nproc=16384', `--data=${dataBytes}`];

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

const isSystem = (path: string) => system.some(folder => `${path}/`.startsWith(`${folder}/`));

/** Those that are none of the system's. */
const ownOnly = (paths: readonly string[]) => [...new Set(paths)].filter(path => existsSync(path) && !isSystem(path));

/** Of fstab(5). */
const fieldOf = (text: string) =>
  text.replace(/[\s\\#]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

/**
 * The shell program's mounts, as lines of fstab(5), and what they are laid over where that is a file. `files`: what is
 * read beside the system's.
 */
function mountsOf(
  { root, devices, userId }: Place,
  files: readonly string[],
): { lines: string[]; overFiles: string[] } {
  const line = (from: string, to: string, type: string, options: string) =>
    `${fieldOf(from)} ${fieldOf(root + to)} ${type} ${options},X-mount.mkdir 0 0`;
  // in a user namespace mounts are locked together, and keep the options that they have
  const readable = userId === null ? 'rbind' : 'bind,ro,nosuid,nodev';
  const read = [...system.filter(path => existsSync(path) && !isLink(path)), ...ownOnly(files)];
  const used = [...everydayDevices, ...devices].filter(path => existsSync(path));
  return {
    lines: [
      line('proc', '/proc', 'proc', 'nosuid,nodev,noexec'),
      line('coexist', '/dev/shm', 'tmpfs', room),
      ...read.map(path => line(path, path, 'none', readable)),
      ...used.map(path => line(path, path, 'none', 'rbind')),
    ],
    overFiles: [...read, ...used].filter(path => !statSync(path).isDirectory()),
  };
}

/**
 * The text of a shell program that makes the place and starts the browser in it, with the words it is given. It has to
 * be process 1 of namespaces of its own (`inNamespaces`): it stays root, so that the kernel ends it with its parent,
 * and the browser with it.
 */
export function confineScript(place: Place): string {
  const { executable, userId, root, environment, groups, copies, nameServer, virtualDisplay } = place;
  const { lines, overFiles } = mountsOf(place);
  const rights = [
    ...(userId === null
      ? []
      : [
          `--reuid=${userId}`,
          `--regid=${userId}`,
          groups.length === 0 ? '--clear-groups' : `--groups=${groups.join(',')}`,
        ]),
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--no-new-privs',
  ];
  const words = Object.entries({
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    ...environment,
  }).map(([name, value]) => quoteWord(`${name}=${value}`));
  const links = system.filter(path => existsSync(path) && isLink(path));
  const folders = [...new Set(['/etc', '/dev', ...overFiles.map(dirname), ...links.map(dirname)])].filter(
    folder => folder !== '/',
  );
  const at = (path: string) => quoteWord(root + path);
  const program = [...(virtualDisplay === null ? [] : ['/bin/sh', '-c', onVirtualDisplay(virtualDisplay)]), executable];
  return [
    '#!/bin/sh',
    'set -e',
    'umask 022',
    `mount -t tmpfs -o nosuid,nodev,mode=755,size=4m coexist ${at('')}`,
    `mkdir ${at('/tmp')}`,
    `mount -t tmpfs -o ${room} coexist ${at('/tmp')}`, // first, as what it may read can lie in there
    `mkdir -p ${folders.map(at).join(' ')}`,
    // Xvfb makes it only as root
    ...(virtualDisplay === null ? [] : [`mkdir -m 1777 ${at('/tmp/.X11-unix')}`]),
    ...overFiles.map(path => `: > ${at(path)}`),
    ...links.map(path => `cp -P ${quoteWord(path)} ${at(path)}`),
    `cp -P ${everydayLinks
      .filter(path => existsSync(path))
      .map(quoteWord)
      .join(' ')} ${at('/dev')}`,
    ...Object.entries({ ...etc, '/etc/resolv.conf': nameServer === null ? '' : `nameserver ${nameServer}\n` }).map(
      ([path, text]) => `printf %s ${quoteWord(text)} > ${at(path)}`,
    ),
    ...Object.entries(copies).flatMap(([path, from]) => [
      `cat ${quoteWord(from)} > ${at(path)}`,
      `chmod 600 ${at(path)}`,
      ...(userId === null ? [] : [`chown ${userId}:${userId} ${at(path)}`]),
    ]),
    `printf %s ${quoteWord(`${lines.join('\n')}\n`)} > ${at('/etc/fstab')}`,
    `mount --all --fstab ${at('/etc/fstab')}`,
    `rm ${at('/etc/fstab')}`,
    `cd ${at('')}`,
    'pivot_root . .',
    'umount --lazy .',
    'cd /',
    'mount -o remount,ro,nosuid,nodev /',
    'set +e', // the browser's end is its own
    `prlimit ${limits.join(' ')} -- setpriv ${rights.join(' ')} -- env -i ${words.join(' ')} ${program.map(quoteWord).join(' ')} "$@"`,
    'exit $?',
    '',
  ].join('\n');
}

/** The command line that runs such a program, given by its path, as process 1 of namespaces of its own. */
export function inNamespaces(script: string): string[] {
  return [
    'unshare',
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child=SIGKILL',
    '--propagation',
    'private',
    '--',
    '/bin/sh',
    script,
  ];
}
