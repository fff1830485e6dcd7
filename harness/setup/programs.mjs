/** Programs that Coexist starts, and the packages of Debian and Ubuntu that contain them. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile(); // a folder may have the permission X_OK, too
  } catch {
    return false;
  }
}

const foldersOf = path => path.split(delimiter).filter(folder => folder !== '');

/**
 * Folders of programs on root's PATH, which the PATH of a user may lack. core/system/child-environment.ts has the same
 * list.
 */
export const rootsFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Returns `path` with root's folders at its end. This path is used to search programs as well as to start them. */
export function searchPath(path = process.env.PATH ?? '') {
  const own = foldersOf(path);
  return [...own, ...rootsFolders.filter(folder => !own.includes(folder))].join(delimiter);
}

/** Returns the path of a program on PATH or in root's folders. Undefined if it is not installed. */
export function findProgram(name) {
  return foldersOf(searchPath())
    .map(folder => join(folder, name))
    .find(isProgram);
}

/** Package that contains each program. */
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

/** Packages that contain the programs and headers for building the native programs. */
export const buildTools = { make: 'make', cc: 'gcc', clang: 'clang' };
const buildHeaders = {
  '/usr/include/bpf/libbpf.h': 'libbpf-dev',
  '/usr/include/json-c/json.h': 'libjson-c-dev',
  '/usr/include/linux/bpf.h': 'linux-libc-dev',
};

export const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Returns true if the program is a snap. A snap cannot be started inside a network namespace. The command of a snap is
 * a link to `snap`; in Ubuntu's package "chromium-browser" it is a script that starts the snap.
 */
export function isSnap(path) {
  const real = realpathSync(path);
  return /^\/snap\//.test(real) || basename(real) === 'snap' || isScriptForSnap(real);
}

function isScriptForSnap(path) {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2048);
    const text = start.toString('latin1', 0, readSync(file, start, 0, start.length, 0));
    return text.startsWith('#!') && text.includes('/snap/bin/');
  } finally {
    closeSync(file);
  }
}

/**
 * Returns true if the system's package "chromium" contains a browser, as in Debian. In Ubuntu and its derivatives this
 * package installs a snap. `osRelease`: text of /etc/os-release.
 */
export const hasChromiumPackage = osRelease => /^ID=debian$/m.test(osRelease);

/** Returns the paths of the installed browsers that are not snaps, the best browser first. */
export function installedBrowsers(path = process.env.PATH ?? '') {
  return browserNames
    .flatMap(name => foldersOf(path).map(folder => join(folder, name)))
    .filter(browser => isProgram(browser) && !isSnap(browser));
}

/**
 * Returns the folder of Playwright's browsers, by default in the user's cache. Programs under sudo get this path in a
 * variable, because their HOME is root's.
 */
export const playwrightFolder = (environment = process.env) =>
  environment.PLAYWRIGHT_BROWSERS_PATH ||
  join(environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache'), 'ms-playwright');

export function missingPackages() {
  const missing = new Set();
  for (const [program, name] of [...Object.entries(programs), ...Object.entries(buildTools)])
    if (findProgram(program) === undefined) missing.add(name);
  for (const [header, name] of Object.entries(buildHeaders)) if (!existsSync(header)) missing.add(name);
  if (missing.has('gcc')) missing.add('libc6-dev');
  return [...missing];
}
