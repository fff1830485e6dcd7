/**
 * Rights of set-up under sudo, in a checkout of the user who called sudo. Files belong to that user, and npm, compilers
 * and downloads run with the user's rights. Files are created with these rights: a later chown would have to guard
 * against links that the user may have made.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { quoteWord } from './shell-word.mjs';

/** Identity that set-up uses now: `person`, the ids and groups of that user, and those of this process before. */
let acting;

const idOf = text => (/^\d{1,10}$/.test(text ?? '') && Number(text) < 2 ** 32 - 1 ? Number(text) : undefined);

/**
 * User who called sudo, if the folder belongs to that user; undefined otherwise. The home comes from the user database,
 * because sudo may have kept root's.
 */
export function personOf(folder, environment = process.env) {
  const [uid, gid] = [idOf(environment.SUDO_UID), idOf(environment.SUDO_GID)];
  if (process.getuid() !== 0 || uid === undefined || uid === 0 || gid === undefined) return undefined;
  if (lstatSync(folder).uid !== uid) return undefined;
  const { stdout } = spawnSync('getent', ['passwd', String(uid)], { encoding: 'utf8', timeout: 5000 });
  const [name, , , , , home] = (stdout ?? '').split('\n')[0].split(':');
  return { uid, gid, name: name || String(uid), home: home?.startsWith('/') ? home : join(folder, '.cache/home') };
}

/** Home of the user for whom set-up acts. */
export const homeFolder = () => acting?.person.home ?? homedir();

/** Runs an action with a person's rights; with those of this process if `person` is undefined. */
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
 * Sets the effective ids, and all groups, since root's other groups give rights, too. The process can still return to
 * root.
 */
function take({ uid, gid, groups }) {
  if (process.geteuid() !== 0) process.seteuid(0); // only root can change the groups
  process.setgroups(groups);
  process.setegid(gid);
  process.seteuid(uid);
}

/**
 * Environment of a program that runs with the person's rights. Paths in root's home are removed, because npm and others
 * would write there.
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
 * Starts a program by `start` (spawn or spawnSync) with its options and all rights of the person for whom set-up acts:
 * real ids and all groups, so that it cannot become root again. `asRoot`: with root's rights instead.
 */
export function startFor(start, argv, { env = process.env, ...options } = {}, { asRoot = false } = {}) {
  if (acting === undefined) return start(argv[0], argv.slice(1), { ...options, env });
  const { person, theirs, roots } = acting;
  // setpriv is needed because the options uid and gid of child_process drop all other groups
  const rights = ['setpriv', `--reuid=${theirs.uid}`, `--regid=${theirs.gid}`, `--groups=${theirs.groups}`, '--'];
  const line = asRoot ? argv : [...rights, ...argv];
  take(roots);
  try {
    return start(line[0], line.slice(1), { ...options, env: asRoot ? env : environmentOf(person, env) });
  } finally {
    take(theirs);
  }
}

/** Message on paths that do not belong to the person. */
export const cannotChange = ({ name, uid, gid }, paths) =>
  `set-up has the rights of ${name}, who called sudo, and cannot change ${paths.join(', ')}\n  -> ` +
  `sudo chown -R ${uid}:${gid} ${paths.map(quoteWord).join(' ')}`;

/**
 * Message on files that an earlier set-up as root has left and that this one cannot change; undefined if there are none
 * or set-up acts for no other user. `files`: files, and folders whose content does not matter. `folders`: their content
 * must belong to the person as well. Only its top level is checked, because deeper files were made together with it.
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
