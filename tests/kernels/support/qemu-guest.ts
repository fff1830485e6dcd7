/** Kernels of Debian in software emulation (qemu, TCG): no privilege and no virtualisation is needed, only patience. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { packInitramfs, withLibraries } from './initramfs.ts';

export type DebianKernel = { /** Folder that the package was unpacked into. */ root: string; version: string };

const metaPackage = 'linux-image-cloud-amd64';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** In the guest, from busybox: everything that is not copied from this machine. */
const applets = ['sh', 'mount', 'insmod', 'ip', 'uname', 'sleep', 'tr', 'cat', 'reboot'];
const downloadMs = 300_000;

/** Fetches a kernel from Debian's archive: of the release given, or of the one that apt is set up for. */
export async function fetchKernel(folder: string, suite: string | null): Promise<DebianKernel> {
  mkdirSync(folder, { recursive: true });
  const options = suite === null ? [] : await ownApt(folder, suite);
  const { stdout } = await run(['apt-cache', ...options, 'depends', metaPackage], { timeoutMs: downloadMs });
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
  if (name === undefined) throw new Error(`apt knows no ${metaPackage}`);
  // newer releases have kernel and modules in packages of their own
  const parts = await run(['apt-cache', ...options, 'depends', name]);
  const names = [
    name,
    ...[...parts.stdout.matchAll(/Depends: (linux-(?:binary|modules)-\S+)/g)].map(match => match[1]!),
  ];
  await run(['apt-get', ...options, 'download', ...names], { cwd: folder, timeoutMs: downloadMs });
  const root = join(folder, 'root');
  for (const file of readdirSync(folder).filter(entry => entry.endsWith('.deb')))
    await run(['dpkg-deb', '-x', join(folder, file), root], { timeoutMs: downloadMs });
  return { root, version: name.replace('linux-image-', '') };
}

/** Options for apt with lists of its own, so that this machine's stay as they are. */
async function ownApt(folder: string, suite: string): Promise<string[]> {
  const state = join(folder, 'apt');
  for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, part), { recursive: true });
  writeFileSync(join(state, 'sources.list'), `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`);
  writeFileSync(join(state, 'status'), '');
  const set = (name: string, value: string) => ['-o', `${name}=${value}`];
  const options = [
    ...set('Dir::Etc::SourceList', join(state, 'sources.list')),
    ...set('Dir::Etc::SourceParts', '/dev/null'),
    ...set('Dir::State::Lists', join(state, 'lists')),
    ...set('Dir::State::Status', join(state, 'status')),
    ...set('Dir::Cache', join(state, 'cache')),
    ...set('APT::Sandbox::User', 'root'),
    ...set('Acquire::Languages', 'none'),
  ];
  await run(['apt-get', ...options, 'update'], { timeoutMs: downloadMs });
  return options;
}

async function moduleOf({ root }: DebianKernel, name: string): Promise<Uint8Array> {
  const { stdout } = await run(['find', root, '-name', `${name}.ko*`]);
  const path = stdout.trim().split('\n')[0]!;
  if (path === '') throw new Error(`the package has no module ${name}`);
  if (path.endsWith('.ko')) return readFileSync(path);
  const plain = `${path}.plain`;
  await run(['sh', '-c', 'xz -dc "$1" > "$2"', 'sh', path, plain]);
  return readFileSync(plain);
}

async function pathOf(program: string): Promise<string> {
  return (await run(['sh', '-c', 'PATH="$PATH:/usr/sbin:/sbin" command -v "$1"', 'sh', program])).stdout.trim();
}

/**
 * Boots the kernel with some files of this machine and the first process in guest-init.sh; returns its results by name,
 * and all it said.
 */
export async function runInGuest(
  kernel: DebianKernel,
  folder: string,
  files: Record<string, string>,
): Promise<{ results: Map<string, unknown>; console: string }> {
  const contents = new Map<string, Uint8Array>();
  const busybox = readFileSync(await pathOf('busybox'));
  for (const applet of applets) contents.set(`bin/${applet}`, busybox);
  for (const program of ['tc', 'ethtool', 'iperf3']) files[`bin/${program}`] = await pathOf(program);
  for (const [place, path] of Object.entries(files)) {
    contents.set(place, readFileSync(path));
    for (const [library, data] of await withLibraries(path)) contents.set(library, data);
  }
  contents.set('sch_netem.ko', await moduleOf(kernel, 'sch_netem'));
  contents.set('init', readFileSync(fileURLToPath(new URL('guest-init.sh', import.meta.url))));
  const image = [`boot/vmlinuz-${kernel.version}`, `usr/lib/modules/${kernel.version}/vmlinuz`]
    .map(place => join(kernel.root, place))
    .find(path => existsSync(path));
  if (image === undefined) throw new Error(`the package of Linux ${kernel.version} has no vmlinuz`);
  const archive = join(folder, 'initramfs.gz');
  writeFileSync(archive, packInitramfs(contents));
  const said = join(folder, 'console.txt'); // a file is never full, as a pipe can be: then characters are lost
  await run(
    [
      'qemu-system-x86_64',
      '-accel',
      'tcg',
      '-cpu',
      'max',
      '-m',
      '1024',
      '-display',
      'none',
      '-serial',
      `file:${said}`,
      '-no-reboot',
      '-nic',
      'none',
      '-kernel',
      image,
      '-initrd',
      archive,
      '-append',
      'console=ttyS0 quiet panic=-1',
    ],
    { timeoutMs: 240_000, allowFailure: true },
  );
  const console = readFileSync(said, 'utf8');
  const results = new Map<string, unknown>();
  for (const [, name, value] of console.matchAll(/^RESULT (\S+) (.*?)\r?$/gm)) results.set(name!, parsed(value!));
  return { results, console };
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
