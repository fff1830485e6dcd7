/** Programs that the product starts, and the packages of Debian and Ubuntu that contain them. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile(); // a folder may be "executable", too
  } catch {
    return false;
  }
}

const foldersOf = path => path.split(delimiter).filter(folder => folder !== '');

/** Folders of root's PATH that a user's PATH may lack. The product has them in core/system/child-environment.ts. */
export const rootsFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** A path followed by root's folders, for searching and starting programs alike. */
export function searchPath(path = process.env.PATH ?? '') {
  const own = foldersOf(path);
  return [...own, ...rootsFolders.filter(folder => !own.includes(folder))].join(delimiter);
}

/** Path of a program, also in root's folders; undefined if it is not installed. */
export function findProgram(name) {
  return foldersOf(searchPath())
    .map(folder => join(folder, name))
    .find(isProgram);
}

/** Package of each program. */
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

/** Packages of the programs and headers that the native build needs. */
export const buildTools = { make: 'make', cc: 'gcc', clang: 'clang' };
const buildHeaders = {
  '/usr/include/bpf/libbpf.h': 'libbpf-dev',
  '/usr/include/json-c/json.h': 'libjson-c-dev',
  '/usr/include/linux/bpf.h': 'linux-libc-dev',
};

export const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * True if the program is a snap, which cannot be started inside a network namespace. The command of a snap is a link to
 * `snap`. Ubuntu's package "chromium-browser" is a script that starts the snap.
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
 * True if the system's package "chromium" is a browser, as in Debian. That of Ubuntu and its derivatives installs the
 * snap. `osRelease`: text of /etc/os-release.
 */
export const hasChromiumPackage = osRelease => /^ID=debian$/m.test(osRelease);

/** Paths of installed browsers other than snaps, the best first. */
export function installedBrowsers(path = process.env.PATH ?? '') {
  return browserNames
    .flatMap(name => foldersOf(path).map(folder => join(folder, name)))
    .filter(browser => isProgram(browser) && !isSnap(browser));
}

/**
 * Folder of Playwright's browsers. Default: in the user's cache. Under sudo, HOME is root's, so the folder is passed
 * on.
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
