/**
 * Environment of every program that Coexist starts, on this machine and on the machines of a lab. A result must not
 * depend on the user who runs the command, and a trial must find the same programs as set-up and doctor. So the path
 * includes root's program folders, the locale is C (English, decimal point), and variables that change the behaviour of
 * programs, such as a proxy, are removed. All other variables stay unchanged.
 */
import { delimiter } from 'node:path';

/**
 * Folders that are added to the end of the path, as in set-up (harness/setup/programs.mjs). Root has them on the path;
 * other users may not.
 */
export const folders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Path that is used if PATH is empty or missing. */
const usualPath = '/usr/local/bin:/usr/bin:/bin';

/**
 * Variables that are removed because they change the behaviour of programs. Each entry has the reason and the pattern
 * of the names.
 */
export const steering: [what: string, names: RegExp][] = [
  ['the language and the form of numbers and times (locale(7))', /^(LANG|LANGUAGE|LC_.*)$/],
  ['requests by way of somebody else', /^((https?|ftp|all|no|socks|rsync)_proxy)$/i],
  ['the order of options and operands (getopt(3))', /^POSIXLY_CORRECT$/],
  ['options beside those of the command line (tar(1), gzip(1), grep(1))', /^(TAR_OPTIONS|GZIP|GREP_OPTIONS)$/],
  [
    'switches of Node: of the user for the command, not for its programs',
    /^NODE_(OPTIONS|DEBUG.*|PATH|USE_ENV_PROXY|REDIRECT_WARNINGS)$/,
  ],
  [
    'how the programs of the tunnels work (runtime of Go, quic-go, runtime of Tokio)',
    /^(GOMAXPROCS|GOGC|GODEBUG|GOMEMLIMIT|QUIC_GO_.*|QLOGDIR|RUST_LOG|TOKIO_WORKER_THREADS)$/,
  ],
  [
    'what a shell runs and says beside its script (bash(1))',
    /^(BASH_ENV|ENV|CDPATH|PS4|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/,
  ],
  ['names of hosts by a list of the user (hostname(7))', /^HOSTALIASES$/],
  ['options of resolvers (resolv.conf(5))', /^(LOCALDOMAIN|RES_OPTIONS)$/],
  ['keys of TLS connections into a file', /^SSLKEYLOGFILE$/],
  ['options of npm, which its children would take for theirs', /^npm_(config|package|lifecycle)_/i],
  ['what Python runs or says beside its program', /^PYTHON(HOME|STARTUP|INSPECT|WARNINGS|VERBOSE)$/],
];

/** Locale for most programs. `textLocale`: locale for programs that show text or read file names as text. */
const plainLocale = 'C';
const textLocale = 'C.UTF-8';

const steers = (name: string) => steering.some(([, names]) => names.test(name));

/** Returns `path` with root's program folders at its end. Empty entries, which mean the current folder, are removed. */
export function searchPath(path = process.env['PATH'] ?? ''): string {
  const given = path.split(delimiter).filter(folder => folder !== '');
  const own = given.length === 0 ? usualPath.split(delimiter) : given;
  return [...own, ...folders.filter(folder => !own.includes(folder))].join(delimiter);
}

/**
 * Returns the environment of a child process. `from`: the environment that it is based on, by default that of this
 * process.
 */
export function childEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(from).filter(([name]) => !steers(name))), ...bareEnvironment(from) };
}

/** Returns an environment of the path and the locale only, for programs that must not learn anything about the user. */
export function bareEnvironment({ PATH, LC_ALL }: NodeJS.ProcessEnv = process.env): { PATH: string; LC_ALL: string } {
  return { PATH: searchPath(PATH), LC_ALL: LC_ALL === textLocale ? textLocale : plainLocale };
}

/** Returns the environment of `bareEnvironment` with the locale for text, for a browser or an image decoder. */
export const bareTextEnvironment = () => bareEnvironment({ ...process.env, LC_ALL: textLocale });
