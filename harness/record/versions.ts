/**
 * Versions of the software and facts about the machine of a run: enough to notice that two results come from different
 * systems.
 */
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { canKeepCoresAwake } from '../../core/system/awake-cores.ts';
import { run } from '../../core/system/command.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { isInUserNamespace } from '../../core/system/user-namespace.ts';
import { codeVersion } from './code-version.ts';

export type Versions = {
  coexist: string;
  commit: string | null;
  /** Version and hash of the sources, including plug-ins of the user. Missing in records of older versions. */
  code?: string;
  kernel: string;
  /**
   * True if the run was root in a user namespace, without BPF and real-time priority. Missing in records of older
   * versions.
   */
  userNamespace?: boolean;
  distribution: string;
  node: string;
  browser: string | null;
  iperf3: string | null;
  iproute2: string | null;
  /** Version of ping. It and the next two fields are missing in records of older versions. */
  ping?: string | null;
  ethtool?: string | null;
  nftables?: string | null;
  /** Versions of the players of adaptive video. Missing in records of older versions. */
  'hls.js'?: string | null;
  'dash.js'?: string | null;
  processor: string;
  cores: number;
  /** True if the processor's cores could be kept awake during trials. Missing in records of older versions. */
  awakeCores?: boolean;
  memoryBytes: number;
};

async function firstLine(argv: string[], cwd?: string): Promise<string | null> {
  try {
    const { status, stdout, stderr } = await run(argv, {
      allowFailure: true,
      timeoutMs: 10_000,
      ...(cwd === undefined ? {} : { cwd }),
    });
    const line = (stdout || stderr).trim().split('\n')[0] ?? '';
    return status === 0 && line !== '' ? line : null;
  } catch {
    return null; // the program is not installed
  }
}

/** Returns the commit of the checkout, with "+" if the checkout has changes. Null outside a checkout. */
async function commit(): Promise<string | null> {
  const head = await firstLine(['git', '-c', 'safe.directory=*', 'rev-parse', '--short=12', 'HEAD'], projectRoot);
  if (head === null) return null;
  return (await firstLine(
    ['git', '-c', 'safe.directory=*', 'status', '--porcelain', '--untracked-files=no'],
    projectRoot,
  )) === null
    ? head
    : `${head}+`;
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)"?/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Returns the version of an npm package. Null if the package is not installed. */
function packageVersion(name: string): string | null {
  try {
    return (JSON.parse(readFileSync(`${projectRoot}node_modules/${name}/package.json`, 'utf8')) as { version: string })
      .version;
  } catch {
    return null;
  }
}

export async function readVersions(browserPath: string | null): Promise<Versions & { code: string }> {
  const { version } = JSON.parse(readFileSync(`${projectRoot}package.json`, 'utf8')) as { version: string };
  const [head, browser, iperf3, iproute2, ping, ethtool, nftables] = await Promise.all([
    commit(),
    browserPath === null ? null : firstLine([browserPath, '--version']),
    firstLine(['iperf3', '--version']),
    firstLine(['tc', '-V']),
    firstLine(['ping', '-V']),
    firstLine(['ethtool', '--version']),
    firstLine(['nft', '--version']),
  ]);
  return {
    coexist: version,
    commit: head,
    code: codeVersion(),
    kernel: release(),
    userNamespace: isInUserNamespace(),
    distribution: distribution(),
    node: process.version,
    browser,
    iperf3,
    iproute2,
    ping,
    ethtool,
    nftables,
    'hls.js': packageVersion('hls.js'),
    'dash.js': packageVersion('dashjs'),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    awakeCores: canKeepCoresAwake(),
    memoryBytes: totalmem(),
  };
}
