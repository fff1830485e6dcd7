/**
 * The environment of every program that Coexist starts, on this machine and on those of a lab. A result must not hang
 * on who runs the command, and what set-up and doctor find must be what a trial finds: so programs are looked for where
 * root looks, speak English with a point in their numbers, and know of no proxy. Everything else stays as it is.
 */
import { delimiter } from 'node:path';

/** Where root looks for programs beside its path, as set-up does (harness/setup/programs.mjs). */
export const folders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Of a command whose own path is empty or missing. */
const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** What steers programs unasked, and how: none of these reaches them. */
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

/** The plain locale, and the one for programs that show text or take names of files as text. */
const plainLocale = 'C';
const textLocale = 'C.UTF-8';

const steers = (name: string) => steering.some(([, names]) => names.test(name));

/** A path with the folders of root's programs behind it. An empty entry means the folder that one stands in: left out. */
export function searchPath(path = process.env['PATH'] ?? ''): string {
  const given = path.split(delimiter).filter(folder => folder !== '');
  const own = given.length === 0 ? usualPath.split(delimiter) : given;
  return [...own, ...folders.filter(folder => !own.includes(folder))].join(delimiter);
}

/** `from`: the environment that the program would have without it; that of this process where not said. */
export function childEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(from).filter(([name]) => !steers(name))), ...bareEnvironment(from) };
}

/** The least that a program needs: for one that is not to know anything of the user. */
export function bareEnvironment({ PATH, LC_ALL }: NodeJS.ProcessEnv = process.env): { PATH: string; LC_ALL: string } {
  return { PATH: searchPath(PATH), LC_ALL: LC_ALL === textLocale ? textLocale : plainLocale };
}

/** The same for a browser or a decoder of pictures. */
export const bareTextEnvironment = () => bareEnvironment({ ...process.env, LC_ALL: textLocale });
