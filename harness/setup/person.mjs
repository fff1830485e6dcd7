/**
 * Set-up through sudo in a checkout of the person who called it: what it makes there is theirs, and npm, compilers and
 * downloads have their rights, not root's. Files are made with their rights from the start, so none is given to them
 * afterwards, which would need care about links that they may have laid.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { quoteWord } from './shell-word.mjs';

/** For whom set-up acts now: `person`; ids and groups of theirs, and those that this process has had before. */
let acting;

const idOf = text => (/^\d{1,10}$/.test(text ?? '') && Number(text) < 2 ** 32 - 1 ? Number(text) : undefined);

/**
 * Who has called root by sudo, where the folder is theirs; undefined where nobody has, or it is another one's. Their
 * home is asked of the system, as sudo may have kept root's.
 */
export function personOf(folder, environment = process.env) {
  const [uid, gid] = [idOf(environment.SUDO_UID), idOf(environment.SUDO_GID)];
  if (process.getuid() !== 0 || uid === undefined || uid === 0 || gid === undefined) return undefined;
  if (lstatSync(folder).uid !== uid) return undefined;
  const { stdout } = spawnSync('getent', ['passwd', String(uid)], { encoding: 'utf8', timeout: 5000 });
  const [name, , , , , home] = (stdout ?? '').split('\n')[0].split(':');
  return { uid, gid, name: name || String(uid), home: home?.startsWith('/') ? home : join(folder, '.cache/home') };
}

/** The home of whoever set-up acts for. */
export const homeFolder = () => acting?.person.home ?? homedir();

/** Does something with a person's rights; with those of this process where there is none. */
export async function actingFor(person, action) {
  if (person === undefined) return action();
  const roots = { uid: 0, gid: 0, groups: process.getgroups() };
  try {
    process.setegid(person.gid);
    process.initgroups(person.name, person.gid);
    acting = { person, theirs: { uid: person.uid, gid: person.gid, groups: process.getgroups() }, roots };
    take(acting.theirs);
    return await action();
  } finally {
    take(roots);
    acting = undefined;
  }
}

/** The effective ids, and all groups, as root's other groups give rights, too: this process stays able to go back. */
function take({ uid, gid, groups }) {
  if (process.geteuid() !== 0) process.seteuid(0); // who is not root cannot change the groups
  process.setgroups(groups);
  process.setegid(gid);
  process.seteuid(uid);
}

/** Variables of a program that a person runs: nothing of root's home, where npm and others would want to write. */
export function environmentOf({ name, home }, environment = process.env) {
  const roots = environment.HOME || homedir();
  const kept = Object.entries(environment).filter(
    ([variable, value]) =>
      variable === 'PATH' || roots === '/' || roots === home || (value !== roots && !value.startsWith(`${roots}/`)),
  );
  return { ...Object.fromEntries(kept), HOME: home, USER: name, LOGNAME: name };
}

/**
 * Starts a program by `start`, which is spawn or spawnSync, with its options: with all rights of the person that set-up
 * acts for, real ids and all their groups, so that it cannot become root again. `asRoot`: with root's instead.
 */
export function startFor(start, argv, { env = process.env, ...options } = {}, { asRoot = false } = {}) {
  if (acting === undefined) return start(argv[0], argv.slice(1), { ...options, env });
  const { person, theirs, roots } = acting;
  // setpriv, as the options uid and gid of child_process leave a program no other group
  const rights = ['setpriv', `--reuid=${theirs.uid}`, `--regid=${theirs.gid}`, `--groups=${theirs.groups}`, '--'];
  const line = asRoot ? argv : [...rights, ...argv];
  take(roots);
  try {
    return start(line[0], line.slice(1), { ...options, env: asRoot ? env : environmentOf(person, env) });
  } finally {
    take(theirs);
  }
}

/** What to say of paths that are not the person's. */
export const cannotChange = ({ name, uid, gid }, paths) =>
  `set-up has the rights of ${name}, who called sudo, and cannot change ${paths.join(', ')}\n  -> ` +
  `sudo chown -R ${uid}:${gid} ${paths.map(quoteWord).join(' ')}`;

/**
 * What to say where an earlier set-up as root has left what this one cannot change; undefined where it can, or acts for
 * nobody. `files`: files, and folders that need only be the person's themselves; `folders`: those whose content must be
 * theirs, too. Of that only the top is looked at, as what lies deeper was made with it.
 */
export function leftByRoot(person, files, folders) {
  if (person === undefined) return undefined;
  const isOthers = path => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    return entry !== undefined && entry.uid !== person.uid;
  };
  const holdsOthers = folder => existsSync(folder) && readdirSync(folder).some(name => isOthers(join(folder, name)));
  const paths = [...files.filter(isOthers), ...folders.filter(folder => isOthers(folder) || holdsOthers(folder))];
  return paths.length === 0 ? undefined : cannotChange(person, paths);
}
