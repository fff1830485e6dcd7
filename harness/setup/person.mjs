/**
 * Runs set-up with the rights of the user who called sudo, if the checkout belongs to that user. Files that set-up
 * makes then belong to the user, and npm, compilers and downloads have the user's rights. A chown afterwards would be
 * no alternative, because it would have to guard against links that the user may have made.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { quoteWord } from './shell-word.mjs';

/**
 * State while set-up acts for a user. `person`: that user. `theirs`: ids and groups of the user. `roots`: ids and
 * groups of this process before. Undefined at other times.
 */
let acting;

const idOf = text => (/^\d{1,10}$/.test(text ?? '') && Number(text) < 2 ** 32 - 1 ? Number(text) : undefined);

/**
 * Returns the user who called sudo. Undefined without sudo, or if `folder` does not belong to that user. The home
 * folder is taken from the user database, because sudo may have kept the variable HOME of root.
 */
export function personOf(folder, environment = process.env) {
  const [uid, gid] = [idOf(environment.SUDO_UID), idOf(environment.SUDO_GID)];
  if (process.getuid() !== 0 || uid === undefined || uid === 0 || gid === undefined) return undefined;
  if (lstatSync(folder).uid !== uid) return undefined;
  const { stdout } = spawnSync('getent', ['passwd', String(uid)], { encoding: 'utf8', timeout: 5000 });
  const [name, , , , , home] = (stdout ?? '').split('\n')[0].split(':');
  return { uid, gid, name: name || String(uid), home: home?.startsWith('/') ? home : join(folder, '.cache/home') };
}

/**
 * Returns the home folder of the user for whom set-up acts, or of the user of this process if set-up acts for no other
 * user.
 */
export const homeFolder = () => acting?.person.home ?? homedir();

/** Runs `action` with the rights of a user. If `person` is undefined, it keeps the rights of this process. */
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

/**
 * Sets the effective ids and all groups of this process. The groups are set as well, because other groups of root give
 * rights, too. The process can still become root again.
 */
function take({ uid, gid, groups }) {
  if (process.geteuid() !== 0) process.seteuid(0); // only root can change groups
  process.setgroups(groups);
  process.setegid(gid);
  process.seteuid(uid);
}

/**
 * Returns the environment of a program that runs with the rights of a user. Variables with paths in root's home are
 * removed, because npm and others would write there.
 */
export function environmentOf({ name, home }, environment = process.env) {
  const roots = environment.HOME || homedir();
  const kept = Object.entries(environment).filter(
    ([variable, value]) =>
      variable === 'PATH' || roots === '/' || roots === home || (value !== roots && !value.startsWith(`${roots}/`)),
  );
  return { ...Object.fromEntries(kept), HOME: home, USER: name, LOGNAME: name };
}

/**
 * Starts a program by `start` (spawn or spawnSync). If set-up acts for a user, the program gets the real ids and all
 * groups of that user, so it cannot become root again. `asRoot`: true to keep the rights of root.
 */
export function startFor(start, argv, { env = process.env, ...options } = {}, { asRoot = false } = {}) {
  if (acting === undefined) return start(argv[0], argv.slice(1), { ...options, env });
  const { person, theirs, roots } = acting;
  // setpriv is used because child_process drops all further groups if the options uid and gid are set
  const rights = ['setpriv', `--reuid=${theirs.uid}`, `--regid=${theirs.gid}`, `--groups=${theirs.groups}`, '--'];
  const line = asRoot ? argv : [...rights, ...argv];
  take(roots);
  try {
    return start(line[0], line.slice(1), { ...options, env: asRoot ? env : environmentOf(person, env) });
  } finally {
    take(theirs);
  }
}

/** Returns a message about files that do not belong to the user for whom set-up acts. */
export const cannotChange = ({ name, uid, gid }, paths) =>
  `set-up has the rights of ${name}, who called sudo, and cannot change ${paths.join(', ')}\n  -> ` +
  `sudo chown -R ${uid}:${gid} ${paths.map(quoteWord).join(' ')}`;

/**
 * Returns a message about files of an earlier set-up by root that `person` cannot change. Undefined if there are none
 * or `person` is undefined. `files`: files, and folders whose content does not matter. `folders`: folders whose content
 * must belong to the user as well. Only their top level is checked, because deeper files were made together with it.
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
