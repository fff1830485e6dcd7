/** The programs that the product starts, and the packages of Debian and Ubuntu that bring them. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program; undefined where it is not installed. Looks where root's PATH looks, too. */
export function findProgram(name) {
  for (const directory of [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin']) {
    if (directory === '') continue;
    try {
      accessSync(join(directory, name), constants.X_OK);
      if (statSync(join(directory, name)).isFile()) return join(directory, name);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** program -> package */
export const programs = {
  ip: 'iproute2',
  tc: 'iproute2',
  ss: 'iproute2',
  ethtool: 'ethtool',
  ping: 'iputils-ping',
  iperf3: 'iperf3',
  sysctl: 'procps',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  unshare: 'util-linux',
  prlimit: 'util-linux',
  pivot_root: 'util-linux',
  mount: 'mount',
  umount: 'mount',
};

/** What the native build needs: a program or a header -> package. */
export const buildTools = { make: 'make', cc: 'gcc', clang: 'clang' };
const buildHeaders = {
  '/usr/include/bpf/libbpf.h': 'libbpf-dev',
  '/usr/include/json-c/json.h': 'libjson-c-dev',
  '/usr/include/linux/bpf.h': 'linux-libc-dev',
};

export const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Packages that are missing, without repeats. */
export function missingPackages() {
  const missing = new Set();
  for (const [program, name] of [...Object.entries(programs), ...Object.entries(buildTools)])
    if (findProgram(program) === undefined) missing.add(name);
  for (const [header, name] of Object.entries(buildHeaders)) if (!existsSync(header)) missing.add(name);
  if (missing.has('gcc')) missing.add('libc6-dev');
  return [...missing];
}
